// Names for controls that Oscar leaves without one, so that they can be told apart without seeing the page.
(function () {
    function nameControls() {
        $(".basket-items").each(function () {
            var title = $(this).find("h3").text().trim();
            $(this).find("input[type=number]").attr("aria-label", "Quantity of " + title);
        });
        $("button.dropdown-toggle").filter(function () {
            return !$(this).text().trim();
        }).attr("aria-label", "More actions");
    }
    $(nameControls);
    $(document).ajaxComplete(nameControls); // the basket page replaces its content when a line changes
})();
