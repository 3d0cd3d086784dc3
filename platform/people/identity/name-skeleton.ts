/** Letters that look like Latin ones in common fonts, from the confusables of Unicode (UTS 39). Capitals look alike on their own. */
const looksLike: Record<string, string> = {
  ...spread('АΑᎪ', 'a'),
  ...spread('ВΒᏴ', 'b'),
  ...spread('СϹᏟ', 'c'),
  ...spread('ЕΕᎬ', 'e'),
  ...spread('НΗᎻ', 'h'),
  // A capital i, a small L, a one and a bar.
  ...spread('IІΙӀ1|ıιі', 'l'),
  ...spread('ЈϳᎫ', 'j'),
  ...spread('КΚᏦ', 'k'),
  ...spread('МΜᎷ', 'm'),
  ...spread('Ν', 'n'),
  ...spread('ОΟՕ0', 'o'),
  ...spread('РΡᏢ', 'p'),
  ...spread('ЅᏚ', 's'),
  ...spread('ТΤᎢ', 't'),
  ...spread('ХΧ', 'x'),
  ...spread('УΥҮ', 'y'),
  ...spread('ΖᏃ', 'z'),
  ...spread('аɑα', 'a'),
  ...spread('сϲ', 'c'),
  ...spread('ԁ', 'd'),
  ...spread('еҽ', 'e'),
  ...spread('ɡց', 'g'),
  ...spread('һհ', 'h'),
  ...spread('јյ', 'j'),
  ...spread('кκ', 'k'),
  ...spread('ոη', 'n'),
  ...spread('оοσօ', 'o'),
  ...spread('рρ', 'p'),
  ...spread('ԛզ', 'q'),
  ...spread('ѕ', 's'),
  ...spread('тτ', 't'),
  ...spread('υսʋ', 'u'),
  ...spread('νѵ', 'v'),
  ...spread('ԝ', 'w'),
  ...spread('хχ', 'x'),
  ...spread('уγү', 'y'),
}

function spread(letters: string, latin: string) {
  return Object.fromEntries([...letters].map((letter) => [letter, latin]))
}

/**
 * What two names have in common that people read as the same: without marks, case, spaces and signs, and with look-alike
 * letters as one. Names without letters are compared as they are.
 */
export function nameSkeleton(name: string): string {
  const letters = name.normalize('NFKD').replaceAll(/[^\p{L}\p{N}|]/gu, '')
  const latin = [...letters].map((letter) => looksLike[letter] ?? letter).join('')
  const skeleton = latin.toLowerCase().replaceAll('rn', 'm').replaceAll('vv', 'w').replaceAll(/[li]/g, 'l')
  return skeleton === '' ? name.normalize('NFKC').trim() : skeleton
}
