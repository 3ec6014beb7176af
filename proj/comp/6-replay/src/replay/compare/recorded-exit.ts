import { isRecord } from '../../../../0-contracts/src/index.js'
import { parsedJson } from './parsed-json.js'

/** A harness's report of a command's end, beyond the command's output. */
export interface RecordedExit {
  code: number
  /** The output, if the report surrounds it. */
  rest?: string
}

const FIELDS = ['exit_code', 'exitCode', 'returncode', 'return_code', 'exit_status']
const OUTPUTS = ['output', 'stdout', 'stderr']
/** Codex: lines before `Output:`. */
const HEAD = /^(?:Exit code: |Process exited with code )(-?\d+)$/m
/** Claude Code: before the output of a failed command. */
const FAILED = /^Exit code (\d+)(?:\n|$)/
/** mini-swe-agent. */
const TAGGED = /^<returncode>(?<code>-?\d+)<\/returncode>(?:\s*<output>\n?(?<output>[^]*)<\/output>\s*$)?/
/** OpenHands: among the last lines. */
const LAST = /\n?\[(?:The command completed|Command finished) with exit code (-?\d+)\.?\](?:\n\[.*\])*\s*$/

/**
 * The exit code that a recorded result gives besides the output, in the forms of several harnesses; `undefined` where
 * it gives none.
 */
export function recordedExit(text: string, isError: boolean | undefined): RecordedExit | undefined {
  if (/^\s*\{/.test(text)) {
    const value = parsedJson(text)
    if (!isRecord(value)) return undefined
    // Without an output field the object itself is the program's output.
    if (!OUTPUTS.some((name) => typeof value[name] === 'string')) return undefined
    const code = [value, value['metadata']].flatMap((at) => (isRecord(at) ? FIELDS.map((name) => at[name]) : []))
      .find((number) => Number.isSafeInteger(number))
    return typeof code === 'number' ? { code } : undefined
  }
  const output = /^Output:$/m.exec(text)?.index
  const head = output === undefined ? undefined : HEAD.exec(text.slice(0, output))
  const [before, failed] = isError === true ? FAILED.exec(text) ?? [] : []
  if (before !== undefined) return { code: Number(failed), rest: text.slice(before.length) }
  const last = LAST.exec(text)
  if (!head && last) return { code: Number(last[1]), rest: text.slice(0, last.index) }
  const { code: tagged, output: rest } = TAGGED.exec(text)?.groups ?? {}
  if (!head && tagged !== undefined) return { code: Number(tagged), ...(rest !== undefined && { rest }) }
  const [, code] = head ?? []
  return code === undefined ? undefined : { code: Number(code) }
}

/** The exit code in a result of a command verb. */
export function exitCodeIn(data: unknown): number | undefined {
  if (!isRecord(data)) return undefined
  const code = data['exit_code'] ?? data['exitCode']
  return typeof code === 'number' ? code : undefined
}
