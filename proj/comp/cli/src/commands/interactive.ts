import type { Arguments } from '../arguments.js'

export async function interactive(_: Arguments): Promise<number> {
  return 0
}
