import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { replayReports, reportNames, runReport } from '../../src/reports/index.js'
import { REPORT_FORMATS } from '../../src/reports/report-formats.js'

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

describe('the table of report formats', () => {
  it.each(['run', 'replay'] as const)('offers each format that shows a %s', (kind) => {
    const offered = REPORT_FORMATS.filter((format) => format[kind] !== undefined)
    expect(reportNames(kind)).toMatch(/^(?:FILE\.\w+(?: \([^)]+\))?(?:, | or |$)){2,}$/)
    expect(reportNames(kind).match(/\.\w+/g)).toEqual(offered.map(({ extensions: [extension] }) => extension))
  })

  it('says what a format is called, and in help what it is for', () => {
    expect(reportNames('replay')).toContain('FILE.xml (JUnit)')
    expect(reportNames('run')).toContain('FILE.sarif (SARIF)')
    expect(reportNames('run')).toContain('FILE.html, ')
    expect(reportNames('run', true)).toContain('FILE.html (a page to look at), ')
  })

  it('has every file of formats once, and each extension once', () => {
    expect(REPORT_FORMATS).toHaveLength(readdirSync(at('../../src/reports/formats')).length)
    const extensions = REPORT_FORMATS.flatMap((format) => format.extensions)
    expect([...new Set(extensions)]).toEqual(extensions)
  })

  it('is what the pages about reports tell', () => {
    const page = (name: string): string => readFileSync(at(`../../../../../docs/${name}.md`), 'utf8')
    const [ofRuns, ofReplays] = [page('reports'), page('replay')]
    for (const { extensions: [extension], run, replay } of REPORT_FORMATS) {
      if (run) expect(ofRuns).toContain(`| \`FILE${extension}\` |`)
      if (replay) expect(ofReplays.replace('`--report FILE', '`')).toContain(`\`${extension}\``)
    }
  })

  it.each([
    ['r.pdf', 'Unknown kind of report: r.pdf'], ['r', 'Unknown kind of report: r'],
    [join(fileURLToPath(import.meta.url), 'r.md'), /^Cannot make the directory of the report: .*report-formats\.test\.ts \(EEXIST\)$/],
  ])('refuses %s at once', async (file, message) => {
    await expect(runReport([file], { root: tempDir(), rootAliases: [] })).rejects.toThrow(message)
    expect(() => replayReports([file])).toThrow(message)
  })

  it('shows no replay as a page, and takes names in capitals', async () => {
    const [html, xml] = [join(tempDir(), 'r.html'), join(tempDir(), 'r.XML')]
    expect(() => replayReports([html])).toThrow('Unknown kind of report')
    expect(() => replayReports([xml])).not.toThrow()
    await expect(runReport([xml], { root: tempDir(), rootAliases: [] })).resolves.toBeTruthy()
  })
})
