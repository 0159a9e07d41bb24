// Making elements. Text is always set as text, never as markup: names in a run file are not trusted.

type Child = Node | string | null | undefined | false;
type Attributes = Record<string, unknown>;

function fill<T extends Element>(element: T, attributes: Attributes, children: Child[]): T {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith('on') && typeof value === 'function') element.addEventListener(name.slice(2), value as EventListener);
    else element.setAttribute(name, value === true ? '' : String(value));
  }
  for (const child of children) if (child || child === '') element.append(child as Node | string);
  return element;
}

export function h<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Attributes = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  return fill(document.createElement(tag), attributes, children);
}

export function s<K extends keyof SVGElementTagNameMap>(tag: K, attributes: Attributes = {}, ...children: Child[]): SVGElementTagNameMap[K] {
  return fill(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);
}

/** A number for a reader: four digits, powers of ten where needed. */
export function show(value: number, digits = 4): string {
  if (!Number.isFinite(value)) return '–';
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size >= 1e5 || size < 1e-3) {
    const [mantissa, power] = value.toExponential(Math.max(0, digits - 2)).split('e');
    return `${Number(mantissa)}·10${superscript(Number(power))}`.replace('-', '−');
  }
  return String(Number(value.toPrecision(digits))).replace('-', '−');
}

function superscript(n: number): string {
  return String(n).split('').map((c) => (c === '-' ? '⁻' : '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(c)])).join('');
}

/** Lines of 24 by 24 for buttons. */
const ICONS: Record<string, string> = {
  play: 'M7 4.5v15l12-7.5z', pause: 'M7 5h3.5v14H7zM13.5 5H17v14h-3.5z', back: 'M17 5v14l-9-7zM5 5h2v14H5z', next: 'M7 5v14l9-7zM17 5h2v14h-2z',
  camera: 'M4 8h3l1.5-2.5h7L17 8h3v11H4zM12 10a3.4 3.4 0 1 0 0 6.8 3.4 3.4 0 0 0 0-6.8', film: 'M4 6h11v12H4zM15 10.5l5-3v9l-5-3z',
  link: 'M9.5 14.5l5-5M8 12l-2.3 2.3a3.2 3.2 0 0 0 4.5 4.5L12.5 16.5M16 12l2.3-2.3a3.2 3.2 0 0 0-4.5-4.5L11.5 7.5', fit: 'M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5',
  theme: 'M12 4a8 8 0 1 0 0 16zM12 4v16', help: 'M9 9.2a3 3 0 1 1 4.4 2.7c-1 .5-1.4 1.1-1.4 2.3M12 17.2v.6', full: 'M14 4h6v6M10 20H4v-6M20 4l-7 7M4 20l7-7',
  close: 'M6 6l12 12M18 6L6 18', panel: 'M4 5h16v14H4zM14.5 5v14',
};
const FILLED = new Set(['play', 'pause', 'back', 'next']);

export function icon(name: string): SVGSVGElement {
  const filled = FILLED.has(name);
  return s('svg', { viewBox: '0 0 24 24', width: 18, height: 18, 'aria-hidden': 'true', fill: filled ? 'currentColor' : 'none', stroke: filled ? 'none' : 'currentColor', 'stroke-width': 1.7, 'stroke-linecap': 'round', 'stroke-linejoin': 'round' },
    s('path', { d: ICONS[name] ?? '' }));
}

export function button(label: string, name: string, onclick: () => void, id?: string): HTMLButtonElement {
  return h('button', { type: 'button', class: 'tv-icon', title: label, 'aria-label': label, 'data-act': id, onclick }, icon(name));
}
