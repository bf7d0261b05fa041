// How the search ranks what it finds: pages that teach before logs, which mention everything.
// The constants are those of Sphinx, whose searchtools.js takes all or none of them from here.
const RANKED = [
  ["howto/", 4],
  ["quickstart", 4],
  ["auto_gallery/", 3],
  ["experiments", -4],
  ["changelog", -4],
  ["benchmarks", -4],
  ["pearl_benchmark", -4],
  ["training/", -2],
];

var Scorer = {
  score: ([page, , , , score]) =>
    score + (RANKED.find(([start]) => page.startsWith(start)) ?? ["", 0])[1],
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
