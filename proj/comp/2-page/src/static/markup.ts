import { visiblePieces } from '../visible-text.js'

/** Markup in which all text is escaped; only `element` and `joined` make it. */
export class Markup {
  private constructor(readonly html: string) {}

  /** Text of any origin becomes text: what would be markup, and what hides or turns text, is shown as it is written. */
  static element(name: string, attributes: Attributes, ...children: readonly Child[]): Markup {
    const given = Object.entries(attributes).flatMap(([key, value]) => {
      if (value === undefined || value === false) return []
      return value === true ? ` ${key}` : ` ${key}="${escapeHtml(visible(String(value)))}"`
    })
    return new Markup(`<${name}${given.join('')}>${htmlOf(children)}</${name}>`)
  }

  static joined(children: readonly Child[]): Markup {
    return new Markup(htmlOf(children))
  }
}

export type Child = Markup | string | undefined
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>

export const { element, joined } = Markup

function htmlOf(children: readonly Child[]): string {
  return children.map((child) => (
    // Lines stay lines: what shows them decides whether they break.
    child === undefined ? '' : child instanceof Markup ? child.html : child.split('\n').map(lineHtml).join('\n')
  )).join('')
}

function lineHtml(line: string): string {
  return visiblePieces(line).map(({ text: piece, isControl }) => (
    isControl ? `<span class="control">${escapeHtml(piece)}</span>` : escapeHtml(piece)
  )).join('')
}

function visible(text: string): string {
  return visiblePieces(text).map((piece) => piece.text).join('')
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character)
}
