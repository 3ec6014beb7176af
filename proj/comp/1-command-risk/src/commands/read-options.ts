/** Parsed arguments of a command. */
export interface Options {
  /** Letters of short options, including text behind those that take a value. */
  short: ReadonlySet<string>
  /** Long options without dashes, with values (`max-args=1`). */
  long: readonly string[]
  operands: readonly string[]
  /** Index of the first operand. */
  firstOperand: number
}

/**
 * Parses arguments like getopt.
 *
 * @param valued short and long options that take the next argument as value
 * @param inOrder options end at the first operand, as for commands that run a command
 */
export function readOptions(args: readonly string[], valued: readonly string[] = [], inOrder = false): Options {
  const short = new Set<string>()
  const long: string[] = []
  const operands: string[] = []
  let firstOperand = args.length
  let isOver = false
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? ''
    if (isOver || !arg.startsWith('-') || arg === '-') {
      if (operands.length === 0) firstOperand = at
      operands.push(arg)
      isOver ||= inOrder
    } else if (arg === '--') {
      isOver = true
    } else if (arg.startsWith('--')) {
      long.push(arg.slice(2))
      if (valued.includes(arg.slice(2))) at++
    } else {
      const letters = arg.slice(1).split('')
      const taking = letters.findIndex((letter) => valued.includes(letter))
      for (const letter of taking < 0 ? letters : letters.slice(0, taking + 1)) short.add(letter)
      if (taking >= 0 && taking === letters.length - 1) at++
    }
  }
  return { short, long, operands, firstOperand }
}

/** Whether a long option is given, possibly abbreviated as GNU programs allow. */
export function hasLong({ long }: Options, name: string, shortest = 1): boolean {
  return long.some((option) => {
    const written = option.replace(/=.*/s, '')
    return written.length >= shortest && name.startsWith(written)
  })
}

/** The value of an option: `-c x`, `-cx`, `--command x`, `--command=x`. */
export function valueOf(args: readonly string[], ...names: readonly string[]): string | undefined {
  return valuesOf(args, ...names)[0]
}

/** The values of a repeatable option. */
export function valuesOf(args: readonly string[], ...names: readonly string[]): string[] {
  const values: string[] = []
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? ''
    for (const name of names) {
      if (arg === name) values.push(...args.slice(at + 1, at + 2))
      else if (name.startsWith('--') ? arg.startsWith(`${name}=`) : arg.startsWith(name) && name.length <= 2) {
        values.push(arg.slice(name.startsWith('--') ? name.length + 1 : name.length))
      }
    }
  }
  return values
}
