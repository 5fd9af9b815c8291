// Filters such as `verdict:fail profile:3g -scenario:tunnel "two words"`: a cell must match every term.
const tokensOf = (text) => {
  const tokens = [];
  for (const match of text.matchAll(/(-?)(?:([\w.-]+):)?(?:"([^"]*)"?|(\S+))/g)) {
    const value = (match[3] ?? match[4] ?? "").toLowerCase();
    if (value || match[2]) tokens.push({ not: match[1] === "-", key: (match[2] || "").toLowerCase(), value });
  }
  return tokens;
};

const fields = {
  verdict: (cell) => [cell.v, cell.g],
  scenario: (cell) => [cell.s],
  profile: (cell) => [cell.l],
  backend: (cell) => [cell.b],
  fidelity: (cell) => [cell.f],
  // A term of the filter ends at a quote, so it cannot contain one.
  shard: (cell) => [cell.from && cell.from.folder.replaceAll('"', "")],
  check: (cell) => (cell.m || []).filter((reading) => reading[4] !== "pass").map((reading) => reading[0]),
};

const holds = (token, cell) => {
  if (!token.key) return cell.text.includes(token.value);
  const field = fields[token.key];
  const values = field ? field(cell) : (cell.p || []).filter(([axis]) => axis.toLowerCase() === token.key).map(([, value]) => value);
  // An unknown word before a colon may be part of a text.
  if (!field && values.length === 0) return cell.text.includes(token.key + ":" + token.value);
  const isIt = token.key === "shard" ? (value) => value === token.value : (value) => value.includes(token.value);
  return values.some((value) => value && isIt(String(value).toLowerCase()));
};

const filtered = (text) => {
  const tokens = tokensOf(text);
  return ordered.filter((cell) => tokens.every((token) => holds(token, cell) !== token.not));
};
