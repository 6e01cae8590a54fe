// Browsers start no worker for a page that is opened as a file. There, the script of the search runs in a hidden frame.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      const frame = document.body.appendChild(document.createElement("iframe"));
      frame.hidden = true;
      this.scope = frame.contentWindow;
      addEventListener("message", (event) => {
        if (event.source === this.scope) this.dispatchEvent(new MessageEvent("message", { data: event.data }));
      });
      const script = document.createElement("script");
      script.src = new URL(url, location).href;
      this.scope.document.open();
      this.scope.document.write(
        `<script>postMessage = (data) => parent.postMessage(data, "*");</script>${script.outerHTML}`,
      );
      this.scope.document.close();
      this.loaded = new Promise((resolve) => (this.scope.onload = resolve));
    }

    postMessage(data) {
      this.loaded.then(() => this.scope.dispatchEvent(new MessageEvent("message", { data })));
    }
  };
}
