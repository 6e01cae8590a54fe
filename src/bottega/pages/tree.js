// Tree: arrow keys walk through what is open.
{
  const tree = document.querySelector(".tree");
  if (tree) {
    const move = (from, step) => {
      const visible = [...tree.querySelectorAll("summary")].filter((line) => line.offsetParent);
      visible[visible.indexOf(from) + step]?.focus();
    };
    const keys = {
      ArrowDown: (line) => move(line, 1),
      ArrowUp: (line) => move(line, -1),
      ArrowRight: (line) => { if (line.parentElement.open) move(line, 1); else line.parentElement.open = true; },
      ArrowLeft: (line) => {
        if (line.parentElement.open) line.parentElement.open = false;
        else line.parentElement.parentElement.closest("details")?.querySelector("summary").focus();
      },
    };
    tree.addEventListener("keydown", (event) => {
      const line = event.target.closest("summary");
      if (!line || !keys[event.key] || event.altKey || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      keys[event.key](line);
    });
  }
}
