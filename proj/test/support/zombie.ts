import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'

/**
 * Starts a program below a parent that never asks what became of it, waits until it prints something, and kills it:
 * a zombie, as in a container without an init. Linux.
 *
 * @returns its process id
 */
export async function killedUnseen(command: string, args: readonly string[]): Promise<number> {
  // The shell is then a program that waits for none of its children.
  const parent = spawn('/bin/sh', ['-c', '"$@" & echo $!; exec sleep 120', 'sh', command, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void parent.kill('SIGKILL'))
  let said = ''
  parent.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()))
  while (said.split('\n').filter((line) => line !== '').length < 2) await sleep(10)
  while (readFileSync(`/proc/${parent.pid}/comm`, 'latin1') !== 'sleep\n') await sleep(10)
  const pid = Math.max(...said.split('\n').filter((line) => /^\d+$/.test(line)).map(Number))
  process.kill(pid, 'SIGKILL')
  while (!/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))) await sleep(10)
  return pid
}
