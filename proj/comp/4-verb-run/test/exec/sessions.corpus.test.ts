import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { spread } from '../../../../test/support/campaign.js'
import { needing } from '../../../../test/support/needs.js'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { failExec, markProcesses, NEEDS, runExec } from './run-exec.js'

/** Programs that leave the process group of the code; each makes the file `begun` when it has. */
const ESCAPES: [name: string, code: string][] = [
  ['a session of its own', "setsid bash -c 'touch begun; sleep 60' & "],
  ['a double-forked daemon', "(setsid bash -c '(touch begun; exec sleep 60) & ' &) ; "],
  ['a daemon that closed everything', "(setsid bash -c 'touch begun; exec sleep 60' <&- >/dev/null 2>&1 &) ; "],
  ['a daemon that ignores SIGTERM', `(setsid bash -c 'trap "" TERM; touch begun; while :; do sleep 1; done' &) ; `],
  ['a child with an empty environment',
    "setsid env -i HERMES_TEST_MARK=$HERMES_TEST_MARK /bin/bash -c 'touch begun; sleep 60' & "],
  ['a daemon with a misleading name', "printf '#!/bin/bash\\ntouch begun; sleep 60; :' > './) S 1 (1'; "
    + "chmod +x './) S 1 (1'; (setsid './) S 1 (1' &) ; "],
  ['a daemon of a daemon', "(setsid bash -c '(setsid bash -c \"touch begun; sleep 60; :\" &)' &) ; "],
]
const UNTIL_BEGUN = 'until [ -e begun ]; do sleep 0.01; done; '

// Elsewhere there is no /proc to find them in.
describe.skipIf(process.platform !== 'linux')('a process that left the process group', () => {
  for (const [index, mode] of (['auto', 'unshare', 'none'] as const).entries()) needing(...NEEDS[mode]).describe(`sandbox ${mode}`, () => {
    const escapes = spread(ESCAPES, 6, 2 * index)

    it.each(escapes)('is gone after a timeout: %s', async (_, code) => {
      const living = markProcesses()
      expect(await failExec({ lang: 'bash', code: `${code}${UNTIL_BEGUN}sleep 60`, timeout: 300 }, { mode }))
        .toMatchObject({ code: 'TIMEOUT' })
      expect(living()).toEqual([])
    })

    it.each(escapes)('is gone after a cancel: %s', async (_, code) => {
      const living = markProcesses()
      const controller = new AbortController()
      const root = tempDir()
      const run = failExec({ lang: 'bash', code: `${code}sleep 60` }, { root, signal: controller.signal, mode })
      while (!existsSync(join(root, 'begun'))) await sleep(5)
      controller.abort()
      expect(await run).toMatchObject({ code: 'CANCELLED' })
      expect(living()).toEqual([])
    })

    const marked = escapes.filter(([, code]) => mode === 'auto' || !code.includes('env -i'))
    it.each(marked)('is gone after the end: %s', async (_, code) => {
      const living = markProcesses()
      expect(await runExec({ lang: 'bash', code: `${code}${UNTIL_BEGUN}echo done` }, { mode }))
        .toMatchObject({ stdout: 'done\n' })
      expect(living()).toEqual([])
    })

    it('is found where hermes runs hermes', async () => {
      const living = markProcesses()
      const nested = "(HERMES_RUN=$HERMES_RUN:inner setsid bash -c 'touch begun; sleep 60; :' &) ; "
      await runExec({ lang: 'bash', code: `${nested}${UNTIL_BEGUN}` }, { mode })
      expect(living()).toEqual([])
    })

    it('leaves processes of other runs alone', async () => {
      const root = tempDir()
      const other = runExec({ lang: 'bash', code: '(setsid bash -c "sleep 1; echo whole") & wait; echo end' }, { mode })
      await failExec({ lang: 'bash', code: 'setsid sleep 60 & sleep 60', timeout: 300 }, { root, mode })
      expect(await other).toMatchObject({ stdout: 'whole\nend\n' })
    })
  })
})
