/** What Node 20 lacks of the language that the contract is written in. */
Map.groupBy ??= function groupBy<Key, Item>(items: Iterable<Item>, keyOf: (item: Item, place: number) => Key) {
  const groups = new Map<Key, Item[]>()
  let place = 0
  for (const item of items) {
    const key = keyOf(item, place)
    place += 1
    const group = groups.get(key)
    if (group) group.push(item)
    else groups.set(key, [item])
  }
  return groups
}
