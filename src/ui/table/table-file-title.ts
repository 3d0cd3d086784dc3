/** What a file with the rows of a table is named after: where the table was, from the page's title, and what its rows are. */
export const tableFileTitle = (pageTitle: string, label: string) =>
  [
    ...pageTitle
      .split(' · ')
      .toReversed()
      .filter((place) => place !== 'Assay' && !label.startsWith(place.toLowerCase())),
    label,
  ].join(' ')
