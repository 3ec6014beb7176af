import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { tempDir } from '../../../test/support/temp-dir.js'
import { distrust } from '../../2-processes/src/launcher/index.js'
import { openPage } from '../src/io/open-page.js'

it.runIf(process.platform === 'linux')('a page is opened by no program that stands where models write', async () => {
  const [root, bin] = [tempDir(), tempDir()]
  for (const [directory, opened] of [[join(root, 'bin'), 'planted'], [bin, 'own']] as const) {
    mkdirSync(directory, { recursive: true })
    writeFileSync(join(directory, 'xdg-open'), `#!/bin/sh\necho "$1" > ${bin}/${opened}\n`)
    chmodSync(join(directory, 'xdg-open'), 0o755)
  }
  distrust([root])
  const outer = process.env['PATH']
  process.env['PATH'] = [join(root, 'bin'), bin, outer].join(delimiter)
  try {
    const close = openPage('http://127.0.0.1:1/')
    await expect.poll(() => existsSync(join(bin, 'own')) || existsSync(join(bin, 'planted'))).toBe(true)
    await sleep(50)
    close()
  } finally {
    process.env['PATH'] = outer
  }
  expect({ own: existsSync(join(bin, 'own')), planted: existsSync(join(bin, 'planted')) }).toEqual({ own: true, planted: false })
})
