/** More words than a person types make a search slow and find nothing. */
const mostWords = 12

/** The words of a search, each once. */
export const searchWords = (search = '') =>
  [...new Set(search.split(/\s+/).filter((word) => word !== ''))].slice(0, mostWords)
