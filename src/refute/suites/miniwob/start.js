// Starts an episode of a MiniWoB++ page and returns its instruction.
//
// The page's own display (instruction, rewards, timer, click marks, START cover) is not part of the task: it would tell
// the goal twice and change every second. It is kept out of the document, except while the page's own code, which
// expects it, draws a problem, says the instruction, or ends the episode.
async ({ seed, limit }) => {
  const pause = () => new Promise((go) => setTimeout(go, 10));
  while (!document.getElementById('sync-task-cover')) await pause(); // made once the page has all its pictures

  const query = document.getElementById('query');
  const display = ['reward-display', 'click-canvas', 'sync-task-cover'].map((id) => document.getElementById(id));
  let words = [];

  const take = () => {
    core.clearTimer();
    words = [...query.childNodes];
    query.replaceChildren();
    for (const part of display) part.remove();
  };
  const give = () => {
    query.replaceChildren(...words);
    document.body.append(...display);
  };
  const displayed = (call) => {
    give();
    try {
      return call();
    } finally {
      take();
    }
  };

  document.body.removeEventListener('click', core.canvasDrawClick);
  const end = core.endEpisode;
  core.endEpisode = (...verdict) => displayed(() => end(...verdict));
  take();
  Math.seedrandom(seed);
  core.EPISODE_MAX_TIME = limit;
  displayed(() => core.startEpisodeReal());
  while (!WOB_TASK_READY) await pause();
  const said = displayed(() => core.getUtterance());
  return typeof said === 'object' ? said.utterance : said;
}
