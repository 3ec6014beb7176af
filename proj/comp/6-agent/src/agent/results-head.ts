/** How each message begins that hands back the results of blocks. */
export const RESULTS_HEAD = 'Results of the blocks in your last answer.'

/** A message of the harness, not of the user. */
export function isResultsText(text: string | null): boolean {
  return text !== null && text.startsWith(RESULTS_HEAD)
}
