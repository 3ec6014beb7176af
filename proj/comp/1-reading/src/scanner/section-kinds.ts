import { CharSet } from './char-set.js'

/**
 * Sections of an answer in which nothing is meant to run: thoughts, and repeated input. One list with the opener, the
 * closers and the source of each.
 */
export interface SectionKind {
  /** Name in messages. */
  name: string
  role: 'think' | 'echo'
  /** Beginning of its opening line; with `attributes`, some may precede the final `>`. */
  opener: string
  attributes?: true
  closers: readonly string[]
  /** Its closer also ends other sections, so unmatched it says nothing about the text before. */
  sharedCloser?: true
  /** Which models or harnesses write it. */
  source: string
}

/** A tag of a think section, in UTF-16 units from the start of the text. */
export interface ThoughtTag {
  from: number
  to: number
  opens: boolean
}

/** Why a block in a section does not run. */
export const SECTION_REASONS = { think: 'in a think section', echo: 'in a section that repeats input' } as const

export const SECTION_KINDS: readonly SectionKind[] = [
  tagged('think', 'think', 'DeepSeek-R1, Qwen3 and most others: chat templates'),
  tagged('think', 'thinking', "Claude's prompts, gptme"),
  tagged('think', 'reasoning', 'Reflection, Nous prompts'),
  tagged('think', 'thought', 'Gemini, ReAct prompts'),
  tagged('think', 'antThinking', "Claude's system prompts for artifacts"),
  tagged('think', 'scratchpad', 'Anthropic prompt library'),
  tagged('think', 'scratch_pad', 'Hermes function calling datasets'),
  tagged('think', 'seed:think', 'Seed-OSS: chat template'),
  {
    name: '[THINK]', role: 'think', opener: '[THINK]', closers: ['[/THINK]'], source: 'Magistral: tokenizer, v13',
  },
  {
    name: '<|START_THINKING|>', role: 'think', opener: '<|START_THINKING|>', closers: ['<|END_THINKING|>'],
    source: 'Command-A: chat template',
  },
  { name: '◁think▷', role: 'think', opener: '◁think▷', closers: ['◁/think▷'], source: 'Kimi-VL: chat template' },
  ...['', '<|start|>assistant'].map((start): SectionKind => ({
    name: '<|channel|>analysis', role: 'think', opener: `${start}<|channel|>analysis`,
    closers: ['<|end|>', '<|return|>', '<|call|>'], sharedCloser: true, source: 'gpt-oss: harmony format',
  })),
  tagged('echo', 'tool_response', 'Hermes function calling, Qwen: chat templates'),
  tagged('echo', 'function_results', "Claude's tool use in text"),
  tagged('echo', 'tool_result', "Anthropic's messages, as text"),
  tagged('echo', 'document', "Anthropic's long-context prompts"),
  tagged('echo', 'documents', "Anthropic's long-context prompts"),
]

function tagged(role: SectionKind['role'], name: string, source: string): SectionKind {
  return { name: `<${name}>`, role, opener: `<${name}`, attributes: true, closers: [`</${name}>`], source }
}

export const THINK_CLOSERS = SECTION_KINDS
  .filter(({ role, sharedCloser }) => role === 'think' && sharedCloser === undefined).flatMap(({ closers }) => closers)

/** Closers that mean something even where nothing is open, with their kind. */
const STRAY_CLOSERS = SECTION_KINDS.filter(({ sharedCloser }) => sharedCloser === undefined)
  .flatMap((kind) => kind.closers.map((tag) => ({ tag, kind })))

/** The kind of section that opens at `at`, and the length of its opener. */
export function sectionAt(text: string, at: number, end: number): { kind: SectionKind; length: number } | undefined {
  if (!OPENING.has(text.charCodeAt(at)) || !OPENING_NEXT.has(text.charCodeAt(at + 1))) return undefined
  for (const kind of SECTION_KINDS) {
    if (!text.startsWith(kind.opener, at)) continue
    const length = kind.opener.length
    if (kind.attributes === undefined) return { kind, length }
    const attributes = ATTRIBUTES.exec(text.slice(at + length, Math.min(end, at + length + MAX_ATTRIBUTES)))
    if (attributes) return { kind, length: length + attributes[0].length }
  }
  return undefined
}

const OPENING = new CharSet(SECTION_KINDS.map(({ opener }) => opener.charAt(0)).join(''))
const OPENING_NEXT = new CharSet(SECTION_KINDS.map(({ opener }) => opener.charAt(1)).join(''))
const MAX_ATTRIBUTES = 1000
/** Attributes up to the end of the tag; a self-closing tag opens no section. */
const ATTRIBUTES = /^(?:[ \t][^<>]*[^<>/])?[ \t]*>/

/** An unmatched closer first or last on the line. */
export interface StrayCloser {
  at: number
  tag: string
  kind: SectionKind
  first: boolean
}

export function strayCloser(text: string, from: number, lineEnd: number): StrayCloser | undefined {
  if (OPENS_CLOSER.has(text.charCodeAt(from))) {
    for (const { tag, kind } of STRAY_CLOSERS) {
      if (from + tag.length <= lineEnd && text.startsWith(tag, from)) return { at: from, tag, kind, first: true }
    }
  }
  let end = lineEnd
  while (end > from && text.charCodeAt(end - 1) <= 0x20) end--
  if (!ENDS_CLOSER.has(text.charCodeAt(end - 1))) return undefined
  for (const { tag, kind } of STRAY_CLOSERS) {
    const at = end - tag.length
    if (at >= from && text.startsWith(tag, at)) return { at, tag, kind, first: false }
  }
  return undefined
}

const OPENS_CLOSER = new CharSet(STRAY_CLOSERS.map(({ tag }) => tag.charAt(0)).join(''))
const ENDS_CLOSER = new CharSet(STRAY_CLOSERS.map(({ tag }) => tag.charAt(tag.length - 1)).join(''))
