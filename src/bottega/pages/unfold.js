// Folded parts open at their button, when a link leads into them, and for printing where they are not aside.
{
  const openAround = (element) => {
    for (let part = element; part; part = part.parentElement) if (part.tagName === "DETAILS") part.open = true;
  };
  const follow = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    openAround(target);
    target.scrollIntoView();
  };
  addEventListener("hashchange", follow);
  if (location.hash) follow();
  for (const buttons of document.querySelectorAll(".folding")) {
    const parts = () => buttons.parentElement.querySelectorAll("details:not(.aside)");
    const [open, close] = buttons.querySelectorAll("button");
    open.addEventListener("click", () => { for (const part of parts()) part.open = true; });
    close.addEventListener("click", () => { for (const part of parts()) part.open = false; });
    buttons.hidden = false;
  }
  let folded = [];
  addEventListener("beforeprint", () => {
    folded = [...document.querySelectorAll("details:not([open], .aside)")];
    for (const part of folded) part.open = true;
  });
  addEventListener("afterprint", () => { for (const part of folded) part.open = false; });
}
