import { isRecord } from '../../../../0-contracts/src/index.js'
import { parsedJson } from './parsed-json.js'

/** What a harness says of a command's end besides what the command printed. */
export interface RecordedExit {
  code: number
  /** What it printed, where the words about its end stand around it. */
  rest?: string
}

const FIELDS = ['exit_code', 'exitCode', 'returncode', 'return_code', 'exit_status']
const OUTPUTS = ['output', 'stdout', 'stderr']
/** Codex: lines in front of `Output:`. */
const HEAD = /^(?:Exit code: |Process exited with code )(-?\d+)$/m
/** Claude Code: in front of what a command printed that failed. */
const FAILED = /^Exit code (\d+)(?:\n|$)/
/** mini-swe-agent. */
const TAGGED = /^<returncode>(?<code>-?\d+)<\/returncode>(?:\s*<output>\n?(?<output>[^]*)<\/output>\s*$)?/
/** OpenHands: among the last lines. */
const LAST = /\n?\[(?:The command completed|Command finished) with exit code (-?\d+)\.?\](?:\n\[.*\])*\s*$/

/**
 * The exit code that a recorded result of a command has beside the output, in the forms that harnesses write;
 * `undefined` where it has none.
 */
export function recordedExit(text: string, isError: boolean | undefined): RecordedExit | undefined {
  if (/^\s*\{/.test(text)) {
    const value = parsedJson(text)
    if (!isRecord(value)) return undefined
    // Without an output beside it the object is what a program printed.
    if (!OUTPUTS.some((name) => typeof value[name] === 'string')) return undefined
    const code = [value, value['metadata']].flatMap((one) => (isRecord(one) ? FIELDS.map((name) => one[name]) : []))
      .find((one) => Number.isSafeInteger(one))
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

/** The exit code in the result of a verb that runs commands. */
export function exitCodeIn(data: unknown): number | undefined {
  if (!isRecord(data)) return undefined
  const code = data['exit_code'] ?? data['exitCode']
  return typeof code === 'number' ? code : undefined
}
