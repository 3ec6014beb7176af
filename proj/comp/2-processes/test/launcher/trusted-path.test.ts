import { mkdirSync, symlinkSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { expect, it } from 'vitest'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { distrust, trustedEnvironment, trustedPath } from '../../src/launcher/index.js'

it('leaves out of a PATH what is relative, in a directory in which models write, or leads there', () => {
  const base = tempDir()
  for (const name of ['root/bin', 'rooted/bin', 'other']) mkdirSync(join(base, name), { recursive: true })
  symlinkSync(join(base, 'root', 'bin'), join(base, 'into'))
  symlinkSync(join(base, 'other'), join(base, 'root', 'out'))
  const at = (name: string): string => join(base, name)
  const path = ['root/bin', at('root/bin'), '', at('into'), at('root/out'), at('rooted/bin'), at('other'), '/usr/bin'].join(delimiter)
  expect(trustedPath(path)).toContain(at('root/bin'))
  distrust([at('root')])
  const trusted = [at('rooted/bin'), at('other'), '/usr/bin'].join(delimiter)
  expect(trustedPath(path)).toBe(trusted)
  expect(trustedEnvironment({ PATH: path, HOME: at('root') })).toEqual({ PATH: trusted, HOME: at('root') })
})

it('keeps the directories of the system, whatever the root is', () => {
  distrust(['/usr'])
  expect(trustedPath('/usr/bin:/usr/games')).toBe('/usr/bin')
})
