import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

const dist = fileURLToPath(new URL('../../../dist/cli.cjs', import.meta.url))

/** Figures that a trial of `proj/trials` prints. */
export async function trial(name: string, ...args: string[]): Promise<{ figures: Record<string, unknown>; stderr: string }> {
  if (!existsSync(dist)) throw new Error('The trials run the built package: npm run build')
  const child = spawn(process.execPath, [fileURLToPath(new URL(`../../trials/${name}.mjs`, import.meta.url)), ...args])
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  if (stdout === '') throw new Error(`The trial of ${name} printed no figures:\n${stderr}`)
  return { figures: JSON.parse(stdout) as Record<string, unknown>, stderr }
}
