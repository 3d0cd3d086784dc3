/** In kB, compressed: what Home loads, what each tab of an experiment loads with an empty cache, and all scripts. */
export function readScriptSizes(): { firstPage: number; experiment: number; everything: number }
