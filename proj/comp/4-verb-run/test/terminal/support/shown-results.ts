import { expect } from 'vitest'
import type { ActionResult, ExecutionResult } from '../../../../0-contracts/src/index.js'

/**
 * Results as the goldens write them: `1 ok` or its code and message, the data as JSON, the output line by line (`|`, and
 * `>` for a last line without line break), hints (`hint`). The root is `/workspace`, and how long something has run is
 * left out, as is what bash says of its own. The user's directory, which cases at work at once share, is `~/.hermes`.
 */
export function shownResults({ results, parseErrors }: ExecutionResult, backend: string, root: string): string {
  expect(parseErrors).toEqual([])
  return results.map((one) => shownResult(one, backend)).join('\n').replaceAll(/\/\S+-home(?=\/config\.yaml)/g, '~/.hermes')
    .replaceAll(root, '/workspace').replace(/\bbash: .*/g, 'bash: …')
}

function shownResult({ seq, success, code, error, hint, data }: ActionResult, backend: string): string {
  const lines = [success ? `${seq} ok` : `${seq} ${code} ${error}`]
  if (Array.isArray(data)) lines.push(...data.map(({ seconds: _seconds, ...item }) => JSON.stringify(item)))
  else if (typeof data === 'object' && data !== null) {
    const { output = '', sandbox, ...rest } = data as { output?: string; sandbox?: string }
    if (sandbox !== undefined) expect(sandbox).toBe(backend)
    lines.push(JSON.stringify(rest), ...shownOutput(output))
  }
  for (const line of hint?.split('\n') ?? []) lines.push(`hint ${line}`)
  return lines.map((line) => line.trimEnd()).join('\n')
}

function shownOutput(output: string): string[] {
  const lines = output.split('\n')
  const last = lines.pop() ?? ''
  return [...lines.map((line) => `| ${line}`), ...(last === '' ? [] : [`> ${last}`])]
}
