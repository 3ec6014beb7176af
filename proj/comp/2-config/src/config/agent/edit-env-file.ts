import { join } from 'node:path'
import { HermesError } from '../../../../0-contracts/src/index.js'
import { ENV_FILE_MODE, readEnvFile, valuesOf } from './env-file.js'
import { hermesHome } from '../hermes-home.js'
import { whileLocked } from '../lock-policy-file.js'
import { replacePolicyFile } from '../replace-policy-file.js'

const NEW_FILE = '# Keys of hermes, for you alone (mode 600). hermes setup writes it; hermes help setup describes it.\n'
/** Values that need no quotes. */
const PLAIN = /^[\w./:@%+,=-]+$/

/**
 * The text of an `.env` file with one variable set; comments and other lines stay.
 *
 * @param value `undefined` removes it
 * @throws HermesError `INVALID_OPTION` for a name or value that such a file cannot hold
 */
export function withEnvValue(text: string, name: string, value: string | undefined): string {
  if (!/^[A-Za-z_]\w{0,127}$/.test(name)) {
    throw new HermesError('INVALID_OPTION', `No name of a variable: ${name}`, {
      hint: 'Write letters, digits and _, e.g. OPENAI_API_KEY.',
    })
  }
  const line = value === undefined ? [] : [`${name}=${quoted(name, value)}`]
  const lines = text.split(/(?<=\n)/)
  const own = new RegExp(`^[ \\t]*(?:export[ \\t]+)?${name}[ \\t]*=`)
  const first = lines.findIndex((candidate) => own.test(candidate))
  const others = lines.filter((candidate) => !own.test(candidate))
  const at = first === -1 ? others.length : first
  const before = others.slice(0, at).join('')
  const gap = before === '' || before.endsWith('\n') ? '' : '\n'
  const result = `${before}${gap}${line.map((part) => `${part}\n`).join('')}${others.slice(at).join('')}`
  const expected = { ...valuesOf(text), [name]: value }
  const read = valuesOf(result)
  // Checked, since a value of several lines may contain what looks like another variable.
  const isKept = Object.keys({ ...expected, ...read })
    .every((key) => read[key] === expected[key as keyof typeof expected])
  if (isKept) return result
  throw new HermesError('INVALID_OPTION', `${name} cannot be set without a change of other lines`, {
    hint: 'Edit the file by hand: one of its values has several lines.',
  })
}

/** @throws HermesError `INVALID_OPTION` */
function quoted(name: string, value: string): string {
  if (PLAIN.test(value)) return value
  const quote = ["'", '"', '`'].find((mark) => !value.includes(mark) && !(mark === '"' && value.includes('\\')))
  if (quote === undefined || /[\0-\x1f\x7f]/.test(value)) {
    throw new HermesError('INVALID_OPTION', `${name}: its value cannot be written into an .env file`, {
      hint: 'It holds line breaks, control characters, or all three kinds of quotes.',
    })
  }
  return `${quote}${value}${quote}`
}

/**
 * Sets variables in the `.env` file of the user's directory, and creates it if missing; mode 600.
 *
 * @throws HermesError as `readEnvFile` and `withEnvValue`; `LOCKED`; Node's errors
 */
export async function storeEnvValues(
  values: Readonly<Record<string, string | undefined>>, home: string = hermesHome(),
): Promise<void> {
  await whileLocked(join(home, '.env'), () => {
    const { path, text } = readEnvFile(home)
    const changed = Object.entries(values)
      .reduce((all, [name, value]) => withEnvValue(all, name, value), text === '' ? NEW_FILE : text)
    if (changed !== text && !(text === '' && changed === NEW_FILE)) replacePolicyFile(path, changed, ENV_FILE_MODE)
  })
}
