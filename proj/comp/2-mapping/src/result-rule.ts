import { isRecord, parseJson, unlessThrown } from '../../0-contracts/src/index.js'
import type { ResultData } from './mapping-schema.js'
import type { Pattern, ResultRule } from './mapping-types.js'

export function compileResultRule(data: ResultData = {}, compile: (pattern: string) => Pattern): ResultRule {
  const { text, unwrap, after, before, fails, answers_by_code: answering = [] } = data
  const failures = fails?.map(compile)
  return {
    textOf: (value) => (text === undefined ? undefined : text.map((field) => fieldText(value, field)).join('')),
    unwrap(recorded) {
      const inner = unwrap === undefined ? recorded : fieldOfJson(recorded, unwrap) ?? recorded
      const at = after === undefined ? -1 : inner.indexOf(after)
      const start = at === -1 ? 0 : at + (after?.length ?? 0)
      // Search the harness's text at the end, since the output itself may contain the same words.
      const end = before === undefined ? -1 : inner.lastIndexOf(before)
      return inner.slice(start, end < start ? undefined : end)
    },
    failed: (recorded) => (failures === undefined ? undefined
      : failures.some((pattern) => pattern.isFoundIn(recorded))),
    answersByCode: (command) => answering.includes(lastProgram(command) ?? ''),
  }
}

/** The program of the last command in a line, whose exit code counts; quoted operators are taken for operators. */
function lastProgram(line: string): string | undefined {
  const words = line.split(/[|&;\n]+/).findLast((command) => command.trim() !== '')?.trim().split(/\s+/)
  return words?.find((word) => !/^\w+=/.test(word))
}

/** A field of a result as text (lists: one item a line); `.` is the result itself. */
function fieldText(data: unknown, field: string): string {
  const value = field === '.' ? data : isRecord(data) ? data[field] : undefined
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))).join('\n')
  return value === undefined ? '' : JSON.stringify(value)
}

function fieldOfJson(text: string, field: string): string | undefined {
  if (!text.trimStart().startsWith('{')) return undefined
  const value: unknown = unlessThrown(RangeError, () => parseJson(text), undefined)
  const inner = isRecord(value) ? value[field] : undefined
  return typeof inner === 'string' ? inner : undefined
}
