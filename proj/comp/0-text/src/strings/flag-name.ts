/** A flag of a command, as far as its name goes. */
export interface NamedFlag {
  /** Without dashes. */
  name: string
  short?: string
  /** Placeholder of its value; a flag without one takes none. */
  value?: string
  /** Values that a flag without a placeholder may take all the same, as `--flag=value`. */
  inlineValues?: readonly string[]
}

/** `-h, --help`, `--root DIR`. */
export function flagName({ name, short, value, inlineValues = [] }: NamedFlag): string {
  const inline = inlineValues.length === 0 ? '' : `[=${inlineValues.join('|')}]`
  const long = `--${name}${inline}${value === undefined ? '' : ` ${value}`}`
  return `${short === undefined ? '    ' : `-${short}, `}${long}`
}
