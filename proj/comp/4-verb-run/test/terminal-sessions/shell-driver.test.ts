import { expect, it } from 'vitest'
import { typedAtStart, withoutTyped } from '../../src/terminal-sessions/shell-driver.js'

const TYPED = typedAtStart('123456789').replaceAll('\n', '\r\n')

it.each([0, 1, 12, 20, 500, 960, TYPED.length])('tells what a program prints from what is typed, %d characters of which come before', count => {
  const shown = withoutTyped(`${TYPED.slice(0, count)}ssh: no route to host\r\n`)
  expect(shown).toContain('ssh: no route to host')
  expect(shown.trim().length).toBeLessThan(80)
})

it('leaves nothing of what is typed', () => {
  expect(withoutTyped(TYPED).trim()).toBe('')
})
