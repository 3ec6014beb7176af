import { describe, expect, it } from 'vitest'
import { readGoldens } from '../../../test/support/goldens.js'
import { tempDir } from '../../../test/support/temp-dir.js'
import type { PageItem, PageModel } from '../src/index.js'
import { runPage } from './run-page.js'

const cases = readGoldens(new URL('../test-data/page.cases.md', import.meta.url))

/** Each answer runs for real; the page's data is shown as text, a line for each thing it says. */
describe('the data of the page', () => {
  it.each(cases)('$name', async ({ fences }) => {
    const answer = fences.find(({ info }) => info.endsWith(' answer'))?.body ?? ''
    const files = Object.fromEntries(fences.flatMap(({ info, body }) => {
      const [, kind, path] = info.split(' ')
      return kind === 'file' && path !== undefined ? [[path, `${body}\n`]] : []
    }))
    const expected = fences.find(({ info }) => info.endsWith(' page'))?.body
    const options = fences.find(({ info }) => info.endsWith(' options'))?.body ?? '{}'
    const root = tempDir()
    const page = await runPage(root, answer, files, JSON.parse(options) as object)
    expect(shown(page).replaceAll(root, '/root')).toBe(expected)
    expect(page.answer).toBe(answer)
  })
})

function shown({ title, summary, items }: PageModel): string {
  const { verdict, total, succeeded, failed, unparsed, skipped, dryRun } = summary
  return [
    title,
    `${verdict}${dryRun ? ' (dry run)' : ''}: ${total} blocks, ${succeeded} ✓, ${failed} ✗, ${unparsed} !, ${skipped} skipped`,
    ...items.flatMap(itemLines),
  ].join('\n')
}

function itemLines(item: PageItem): string[] {
  const { key, state, blockId, action, subject, outcome, startLine, endLine, code, error, hint, reason, place, output, result, hook } = item
  return [
    [key, state, blockId, action, subject, `${startLine}-${endLine}`, outcome && `(${outcome})`].filter(Boolean).join(' '),
    ...(error === undefined ? [] : [`  ${code}: ${error}`]),
    ...(hint === undefined ? [] : [`  hint: ${hint.split('\n')[0]}`]),
    ...(reason === undefined ? [] : [`  reason: ${reason}`]),
    ...(place === undefined ? [] : [`  at ${place.line}:${place.column}`]),
    ...(output === undefined ? [] : [`  out ${JSON.stringify(output)}`]),
    ...(hook === undefined ? [] : [`  ${hook.on} by ${hook.by}${hook.paths ? ` for ${hook.paths.join()} of ${hook.blocks?.join()}` : ''}`]),
    ...(result === undefined ? [] : [`  result ${result.path}: ${JSON.stringify(result.text)}`]),
    ...item.changes.flatMap(({ kind, path, from, added, removed, hunks, note }) => [
      `  ${kind} ${from === undefined ? '' : `${from} → `}${path} +${added} -${removed}${note === undefined ? '' : ` [${note}]`}`,
      ...hunks.flatMap(({ oldStart, newStart, lines }) => [`    @@ ${oldStart} ${newStart}`, ...lines.map((line) => `    ${line}`)]),
    ]),
  ]
}
