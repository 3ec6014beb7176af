import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import { orNothing } from '../../../../0-contracts/src/index.js'
import type { ReportFormat } from '../format.js'

/** A page to look at, in one file. */
export const HTML: ReportFormat = {
  extensions: ['.html', '.htm'],
  note: 'a page to look at',
  async run({ root, rootAliases }) {
    const { PageRecorder, readPageAssets, renderReportPage } = await import('../../../../2-page/src/index.js')
    const { createMasker } = await import('../../../../0-text/src/index.js')
    const { ownSecrets } = await import('../../../../2-config/src/index.js')
    readPageAssets('report')
    const absolute = resolve(root)
    // The executor says what is wrong with a root that has no canonical form.
    const canonical = orNothing(() => realpathSync.native(absolute), absolute)
    const recorder = new PageRecorder({
      root: canonical, roots: [absolute, ...rootAliases],
      masker: createMasker({ ...process.env, ...ownSecrets() }, { shapes: true }),
    })
    return {
      event: (event) => recorder.event(event),
      render: ({ result, answer }) => renderReportPage(recorder.page(result, answer)),
    }
  },
}
