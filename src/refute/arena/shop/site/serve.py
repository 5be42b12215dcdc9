"""Serve one instance on a free loopback port: ``python serve.py``, with SHOP_DATA in the environment.

The first line on standard output is the port, written when requests are welcome. The process ends when its standard
input closes, which also happens when the process that started it dies; then it removes its data folder.
"""

import os
import shutil
import sys
import threading


def end_with_parent():
    """Wait for the end of standard input; then leave nothing behind."""
    while os.read(0, 1024):
        pass
    shutil.rmtree(os.environ["SHOP_DATA"], ignore_errors=True)
    os._exit(0)


def main():
    """Bind, import the shop, say which port it is, serve; from the beginning on, talk to this machine only."""
    from loopback import keep_to_loopback

    keep_to_loopback()
    threading.Thread(target=end_with_parent, daemon=True).start()
    import waitress

    from wsgi import application

    server = waitress.create_server(application, host="127.0.0.1", port=0, threads=4, ident=None)
    print(server.effective_port, flush=True)
    server.run()


if __name__ == "__main__":
    sys.exit(main())
