import { expect, it } from 'vitest'
import { sudoInSandbox } from '../../src/sudo/sudo-walls.js'

it.each([
  'sudo: The "no new privileges" flag is set, which prevents sudo from running as root.',
  'sudo: effective uid is not 0, is /usr/bin/sudo on a file system with the \'nosuid\' option set?',
  'sudo: /usr/bin/sudo must be owned by uid 0 and have the setuid bit set',
  'sudo: /etc/sudo.conf is owned by uid 65534, should be 0',
  'x\nsudo: must be setuid root\ny',
])('is told of where nothing lets it become root: %s', (line) => {
  expect(sudoInSandbox(`${line}\n`)?.kept).toBe('sudo cannot become root')
})

it.each([
  'bash: line 1: sudo: command not found', 'sh: 1: sudo: not found', 'sudo: nosuch: command not found', 'sudo: unknown user: nobody2',
])('is not where something else is wrong: %s', (line) => {
  expect(sudoInSandbox(`${line}\n`)).toBeUndefined()
})
