import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import { type ExecutionResult, type HermesEvent, orNothing } from '../../contracts/src/index.js'
import { PageRecorder, readPageAssets, renderReportPage } from '../../report-page/src/index.js'
import { createMasker } from '../../secrets/src/index.js'
import type { ApplyOptions } from './setup/apply-options.js'

/** What makes the page of a run for `--report FILE.html`. @throws HermesError `NOT_INSTALLED`, before anything runs */
export function pageReport({ root, rootAliases }: ApplyOptions): {
  event(event: HermesEvent): void
  render(result: ExecutionResult, answer: string | undefined): string
} {
  readPageAssets('report')
  const absolute = resolve(root)
  // The executor says what is wrong with a root that has no canonical form.
  const canonical = orNothing(() => realpathSync.native(absolute), absolute)
  const recorder = new PageRecorder({
    root: canonical, roots: [absolute, ...rootAliases], masker: createMasker(process.env, { shapes: true }),
  })
  return {
    event: (event) => recorder.event(event),
    render: (result, answer) => renderReportPage(recorder.page(result, answer)),
  }
}
