/** How many results each verb that pages leaves out at most: an `offset` beyond that it refuses. */
export const MOST_OFFSETS: Readonly<Record<'find_symbol' | 'search_files' | 'structural_search', number>> = {
  find_symbol: 1_000_000, search_files: 20_000, structural_search: 20_000,
}
