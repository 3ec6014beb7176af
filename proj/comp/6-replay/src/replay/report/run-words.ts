/** How messages name those who keep a run, and the flag that says where. */
export interface RunWords {
  who: string
  flag: string
}
