/** A flag of a command, as far as its name goes. */
export interface NamedFlag {
  /** Without dashes. */
  name: string
  short?: string
  /** Placeholder of its value; a flag without one takes none. */
  value?: string
  /** Values that a flag without a placeholder may take all the same, as `--flag=value`. */
  inlineValues?: readonly string[]
  /** What it may be given in the same way, where that is a text. */
  inlineValue?: string
}

/** `-h, --help`, `--root DIR`. */
export function flagName({ name, short, value, inlineValue, inlineValues = [] }: NamedFlag): string {
  const values = inlineValue === undefined ? inlineValues : [inlineValue]
  const inline = values.length === 0 ? '' : `[=${values.join('|')}]`
  const long = `--${name}${inline}${value === undefined ? '' : ` ${value}`}`
  return `${short === undefined ? '    ' : `-${short}, `}${long}`
}
