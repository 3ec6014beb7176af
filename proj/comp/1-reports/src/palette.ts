type Paint = (text: string) => string

/** The few colours of hermes' output. */
export interface Palette {
  good: Paint
  bad: Paint
  note: Paint
  accent: Paint
  strong: Paint
  faint: Paint
  italic: Paint
}

/** Terminal colours (SGR sequences), or plain text. */
export function createPalette(colour: boolean): Palette {
  const paint = (open: number, close: number): Paint => (
    colour ? text => (text === '' ? '' : `\u001b[${open}m${text}\u001b[${close}m`) : text => text
  )
  return {
    good: paint(32, 39),
    bad: paint(31, 39),
    note: paint(33, 39),
    accent: paint(36, 39),
    strong: paint(1, 22),
    faint: paint(2, 22),
    italic: paint(3, 23),
  }
}
