import type { PromptDialect } from '../../../0-contracts/src/index.js'
import { DIALECTS, TOOLS_IN_TAGS, type CallWriting } from '../dialects/index.js'

/** `<tool_call>` with JSON, which is not in the table of dialects. */
const HERMES: CallWriting = {
  call: '<tool_call>\n{"name": "%name", "arguments": %args}\n</tool_call>',
  tools: TOOLS_IN_TAGS,
}

const WRITINGS = new Map<string, CallWriting>([
  ['hermes', HERMES], ...DIALECTS.flatMap(({ name, writing }) => (writing ? [[name, writing] as const] : [])),
])

/** How calls of a dialect are written. */
export function writingOf(dialect: Exclude<PromptDialect, 'aider' | 'cline'>): CallWriting {
  return WRITINGS.get(dialect) ?? HERMES
}

/**
 * Writes a call as a model would. Where values are raw, a value that contains its own closing tag cannot be expressed.
 *
 * @param index 0-based number of the call in the answer
 */
export function writeCall({ call, field = '' }: CallWriting, name: string, args: object, index: number): string {
  const values = Object.entries(args).map(([key, value]: [string, unknown]) => fill(field, {
    key, value: typeof value === 'string' ? value : JSON.stringify(value),
  }))
  return fill(call, { name, index: String(index), args: JSON.stringify(args), fields: values.join('') })
}

/** Fills the parts (`%part`) of a template. */
export function fill(template: string, parts: Readonly<Record<string, string>>): string {
  return template.replace(/%([a-z]+)/g, (whole, part: string) => parts[part] ?? whole)
}

/** A SEARCH/REPLACE block below its path; non-empty texts get a final line break. */
export function writeSearchReplace(path: string, oldText: string, newText: string): string {
  const lines = [oldText, newText].map((text) => (text === '' || text.endsWith('\n') ? text : `${text}\n`))
  const longest = Math.max(0, ...[...`${oldText}${newText}`.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(Math.max(3, longest + 1))
  return `${path}\n${fence}\n<<<<<<< SEARCH\n${lines[0]}=======\n${lines[1]}>>>>>>> REPLACE\n${fence}`
}
