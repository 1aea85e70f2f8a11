// Making elements from texts, and the lines for messages.

/** Makes an element. Children are elements or texts. */
export function element(name, properties = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key === "className") made.className = value;
    else made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

export function replace(parent, ...children) {
  parent.replaceChildren(...children);
}

export function say(text) {
  document.getElementById("state").textContent = text;
}

export function fail(message) {
  const line = document.getElementById("failure");
  line.textContent = message;
  line.hidden = false;
}

export function quiet() {
  document.getElementById("failure").hidden = true;
}
