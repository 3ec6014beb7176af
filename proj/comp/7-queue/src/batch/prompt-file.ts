import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { HermesError, isNodeError, isRecord, parseJson } from '../../../0-contracts/src/index.js'

/** One line of a file of prompts. */
export interface BatchPrompt {
  /** Its name in reports: its `id`, else its line. */
  name: string
  /** From 1. */
  line: number
  /** SHA-256 of the prompt's text, by which `--resume` recognises it. */
  content: string
  prompt: string
  /** Use only verbs of these toolsets, whatever the flags say. */
  toolsets?: readonly string[] | undefined
  /** These replace the values of the flags. */
  systemPrompt?: string | undefined
  model?: string | undefined
  maxTurns?: number | undefined
  /** All other fields, stored with the trajectory. */
  metadata?: Readonly<Record<string, unknown>>
}

/** A line that is not a valid prompt. */
export interface BadPrompt {
  line: number
  problem: string
}

/** Reads the prompts of a JSONL file in order, one in memory at a time. @throws HermesError where it cannot be read */
export async function* readPrompts(file: string): AsyncGenerator<BatchPrompt | BadPrompt, void> {
  let number = 0
  try {
    for await (const line of createInterface({ input: createReadStream(file, 'utf8'), crlfDelay: Infinity })) {
      number++
      const text = number === 1 ? line.replace(/^\ufeff/, '') : line
      if (text.trim() !== '') yield promptOf(text, number)
    }
  } catch (error) {
    if (!isNodeError(error)) throw error
    throw new HermesError(error.code, `Cannot read the prompts ${file} (${error.code})`, {
      hint: 'Name a JSONL file: one object with a prompt a line.', cause: error,
    })
  }
}

function promptOf(text: string, line: number): BatchPrompt | BadPrompt {
  const value = parseJson(text)
  if (!isRecord(value)) return { line, problem: 'it is no JSON object' }
  const { prompt, id, toolsets, system_prompt: systemPrompt, model, max_turns: maxTurns, ...metadata } = value
  if (typeof prompt !== 'string' || prompt.trim() === '') return { line, problem: "it has no text as 'prompt'" }
  if (id !== undefined && typeof id !== 'string' && typeof id !== 'number') {
    return { line, problem: "its 'id' is neither text nor number" }
  }
  if (toolsets !== undefined && !isTexts(toolsets)) return { line, problem: "its 'toolsets' is no list of texts" }
  if (systemPrompt !== undefined && typeof systemPrompt !== 'string') {
    return { line, problem: "its 'system_prompt' is no text" }
  }
  if (model !== undefined && typeof model !== 'string') return { line, problem: "its 'model' is no text" }
  if (maxTurns !== undefined && (typeof maxTurns !== 'number' || !Number.isInteger(maxTurns) || maxTurns <= 0)) {
    return { line, problem: "its 'max_turns' is no whole number from 1" }
  }
  return {
    name: id === undefined ? `line ${line}` : String(id), line, prompt, content: promptHash(prompt), toolsets,
    systemPrompt, model, maxTurns,
    ...(Object.keys(metadata).length > 0 && { metadata }),
  }
}

/** Identifies a prompt by its text. */
export function promptHash(prompt: string): string {
  return createHash('sha256').update(prompt).digest('hex')
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'string')
}
