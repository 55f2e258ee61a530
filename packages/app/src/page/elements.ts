/** The element of an id. @throws where the page has none, which is a mistake of this program. */
export function byId<E extends HTMLElement = HTMLElement>(id: string): E {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no element #${id}`);
  return element as E;
}

/** A button with its text. */
export function button(text: string, title: string, onClick: () => void): HTMLButtonElement {
  const made = document.createElement('button');
  made.type = 'button';
  made.textContent = text;
  made.title = title;
  made.onclick = onClick;
  return made;
}

/** A choice, with a label that is read aloud and not shown. */
export function choice(
  label: string,
  options: readonly (readonly [value: string, text: string])[],
  onChange: (value: string) => void,
): HTMLSelectElement {
  const made = document.createElement('select');
  made.setAttribute('aria-label', label);
  made.append(...options.map(([value, text]) => new Option(text, value)));
  made.onchange = () => onChange(made.value);
  return made;
}

/** A text and what it belongs to. */
export function labeled(text: string, input: HTMLElement, title: string): HTMLLabelElement {
  const label = document.createElement('label');
  label.title = title;
  label.append(text, input);
  return label;
}
