// Filter: entries carry their severity and their file. A link to a hidden entry shows all of them again.
{
  const controls = document.querySelector("fieldset.filter");
  if (controls) {
    const entries = [...document.querySelectorAll("[data-severity]")];
    const files = [...document.querySelectorAll("details[data-file]")];
    const boxes = [...controls.querySelectorAll("input")];
    const choice = controls.querySelector("select");
    const apply = () => {
      const wanted = new Set(boxes.filter((box) => box.checked).map((box) => box.value));
      const isWanted = ({ severity, file }) => (!boxes.length || wanted.has(severity)) && (!choice.value || file === choice.value);
      for (const entry of entries) entry.hidden = !isWanted(entry.dataset);
      for (const file of files) file.hidden = Boolean(choice.value) && file.dataset.file !== choice.value;
      const listed = entries.filter((entry) => "listed" in entry.dataset);
      const shown = listed.filter((entry) => !entry.hidden).length;
      controls.querySelector("output").value = `${shown} of ${listed.length} ${controls.dataset.noun} shown`;
    };
    controls.addEventListener("change", apply);
    addEventListener("hashchange", () => {
      const target = document.getElementById(location.hash.slice(1));
      if (!target?.closest("[hidden]")) return;
      for (const box of boxes) box.checked = true;
      choice.value = "";
      apply();
      target.scrollIntoView();
    });
    controls.hidden = false;
    apply();
  }
}
