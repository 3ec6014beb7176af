/**
 * What one message of the user may take, its delegates' share included: turns are answers of the model, whoever asks.
 */
export class MessageBudget {
  /** Turns that the message may have in all; set by the loop. */
  mostTurns = 0
  /** Those that the loop itself has begun. */
  ownTurns = 0
  /** Those that delegates have begun. */
  delegatedTurns = 0
  /** Read and written by delegates. */
  delegatedTokens = 0

  get usedTurns(): number {
    return this.ownTurns + this.delegatedTurns
  }

  /** What delegates may still take: one is left for whoever gave them their task, to use what they found. */
  get leftTurns(): number {
    return Math.max(0, this.mostTurns - this.usedTurns - 1)
  }

  /** Takes a turn for a delegate; false where there is none left. */
  takeTurn(): boolean {
    if (this.leftTurns === 0) return false
    this.delegatedTurns++
    return true
  }
}
