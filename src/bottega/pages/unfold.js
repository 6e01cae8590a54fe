// Folded parts open when a link leads into them, and for printing.
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
  let folded = [];
  addEventListener("beforeprint", () => {
    folded = [...document.querySelectorAll("details:not([open])")];
    for (const part of folded) part.open = true;
  });
  addEventListener("afterprint", () => { for (const part of folded) part.open = false; });
}
