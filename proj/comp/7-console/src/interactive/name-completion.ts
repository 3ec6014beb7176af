import type { Completion } from '../../../2-terminal/src/index.js'
import { parameterDefinitions, type VerbRegistry } from '../../../1-registry/src/index.js'

/** The text before the cursor in its line, and the lines before. */
export interface Place {
  line: string
  before: string
}

const NAME_PLACES = [
  /^\s*(?:-\s+)?["']?verb["']?\s*:\s*["']?([\w.-]*)$/, /^\s*action\s*=\s*"([\w.-]*)$/,
  /"(?:name|verb)"\s*:\s*"([\w.-]*)$/, /^\/tools\s+([\w.-]*)$/,
]
const VERB =
  /action\s*=\s*"([^"\n]+)"|(?:^|\n)\s*(?:-\s+)?["']?verb["']?\s*:\s*["']?([\w.-]+)|"(?:name|verb)"\s*:\s*"([^"\n]+)"/g
/** Places of parameters: pattern of the beginning of a name, and what follows a completed name. */
const PARAMETER_PLACES = [
  {
    pattern: /^()(\w*)$/, follow: ' = "',
    where: (text: string) => /(?:^|\n)[ \t]*action\s*=[^\n]*(?:\n(?![ \t]*#!)[^\n]*)*$/.test(text),
  },
  {
    pattern: /^(\s+)(\w*)$/, follow: ': ',
    where: (text: string) => /(?:^|\n)\s*["']?arguments["']?\s*:\s*(?:\n|$)/.test(text),
  },
  { pattern: /("arguments"\s*:\s*\{(?:.*,)?\s*")(\w*)$/, follow: '": ', where: () => true },
]

/** Completions for Tab: commands, names of verbs, and of their parameters. */
export async function complete(
  { line, before }: Place, registry: VerbRegistry, commands: readonly string[],
): Promise<Completion> {
  const command = /^\/\w*$/.exec(line)
  if (command && before.trim() === '') return { hits: commands.filter((name) => name.startsWith(line)), part: line }
  for (const pattern of NAME_PLACES) {
    const part = pattern.exec(line)?.[1]
    if (part !== undefined) {
      return { hits: registry.names().filter((name) => name.toLowerCase().startsWith(part.toLowerCase())), part }
    }
  }
  for (const { pattern, follow, where } of PARAMETER_PLACES) {
    const part = pattern.exec(line)?.[2]
    if (part === undefined || !where(before)) continue
    const names = await parametersOf(verbIn(`${before}\n${line}`), registry)
    return { hits: names.filter((name) => name.startsWith(part)).map((name) => `${name}${follow}`), part }
  }
  return { hits: [], part: line }
}

function verbIn(text: string): string | undefined {
  const last = [...text.matchAll(VERB)].at(-1)
  return last?.[1] ?? last?.[2] ?? last?.[3]
}

async function parametersOf(name: string | undefined, registry: VerbRegistry): Promise<string[]> {
  const verb = name === undefined ? undefined : await registry.load(name)
  return verb ? Object.keys(parameterDefinitions(verb.args)) : []
}
