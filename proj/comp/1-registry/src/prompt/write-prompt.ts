import type { AnyVerb } from '../../../0-contracts/src/index.js'
import { dialectTeaching } from './dialect-teaching.js'
import { TEACHING } from './formats.js'
import type { PromptOptions } from './prompt-options.js'
import { scenario } from './scenario.js'
import { estimateTokens } from './token-estimate.js'
import { verbText } from './verb-text.js'

/** Size of a text; `tokens` is an estimate, see `estimateTokens`. */
export interface PromptSize {
  name: string
  characters: number
  tokens: number
}

export interface Prompt {
  text: string
  size: PromptSize
  /** Sizes of the sections, in order. */
  sections: PromptSize[]
  /** Sizes of the verbs' texts within the section of verbs. */
  verbs: PromptSize[]
}

/**
 * Writes the instructions for a system prompt: how to write blocks, what they can call, and examples. The result is
 * Markdown with live examples: run as an answer, it does what they say.
 */
export function writePrompt(options: PromptOptions): Prompt {
  const { format, verbs, root, relativePaths = false, short = false, notes = false, dialect } = options
  const own = dialect === undefined ? undefined : dialectTeaching(dialect)
  const { intro, rules, example, form } = own ?? TEACHING[format]
  const place = (path: string): string => (path === '.' ? root : `${root.replace(/\/$/, '')}/${path}`)
  const steps = scenario(verbs, place)
  const listing = !short && own && 'tools' in own ? own.tools(verbs, notes) : undefined
  const written = verbs.flatMap((verb, index) => {
    const text = own && 'entry' in own ? own.entry(verb) : listing?.each[index] ?? verbText(verb, { short, notes })
    return text === undefined ? [] : [{ name: verb.name, text }]
  })
  const between = listing?.between ?? (short && !(own && 'entry' in own) ? '\n' : '\n\n')
  const listed = [listing?.before, written.map(({ text }) => text).join(between), listing?.after].join('')
  const sections = [
    { name: 'introduction', text: `# Blocks that are run\n\n${INTRODUCTION}` },
    { name: 'format', text: section('The format', [intro, list(rules(root, relativePaths))]) },
    { name: 'rules', text: section('How to work', [list(workRules(verbs))]) },
    { name: 'verbs', text: section('What a block can call', [listed]) },
    {
      name: 'examples',
      text: steps.length === 0 ? section('The form', [form.split('\n').map((line) => `    ${line}`).join('\n')])
        : section(
          'Examples', steps.map(({ title, verb, args }, index) => `${title}:\n\n${example(verb, args, index)}`),
        ),
    },
  ]
  const text = `${sections.map((candidate) => candidate.text).join('\n\n')}\n`
  return {
    text, size: sizeOf('all', text), sections: sections.map((candidate) => sizeOf(candidate.name, candidate.text)),
    verbs: written.map((verb) => sizeOf(verb.name, verb.text)),
  }
}

const INTRODUCTION = 'To act on the machine, write blocks into your answer. hermes runs them from top to bottom. What '
  + 'stands around them is only for the reader.'

function workRules(verbs: readonly AnyVerb[]): string[] {
  const has = (name: string): boolean => verbs.some((verb) => verb.name === name)
  const does = (...types: string[]): boolean => verbs.some(({ type }) => types.includes(type))
  return [
    'A block that fails costs no other, and what succeeded stays done. When you are told that blocks failed, mend '
    + 'those and send only them again.',
    ...(does('write') ? [
      'Write contents whole: what `…`, `rest unchanged` or the like stands for would be lost.',
      'Before you change a file that you have not seen, read it.',
    ] : []),
    ...(has('file_replace_text') ? [
      '`old_text` is copied exactly, with its indentation, and holds enough lines to occur only once.',
    ] : []),
    ...(does('exec', 'dynamic') ? [
      'Commands run in the project, usually in a sandbox and without network, and nobody answers what they ask. '
      + 'An exit code other than 0 is a failure.',
    ] : []),
    'Names of calls and parameters are those below and no others.',
  ]
}

function section(title: string, parts: readonly string[]): string {
  return [`## ${title}`, ...parts].join('\n\n')
}

function list(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join('\n')
}

function sizeOf(name: string, text: string): PromptSize {
  return { name, characters: [...text].length, tokens: estimateTokens(text) }
}
