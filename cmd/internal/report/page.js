// Draws the charts of #charts-data, each on the canvas with its id. For tests, every canvas
// gets the number of drawn points (data-points), and the document the numbers of drawn
// charts (data-drawn) and of loaded files (data-loaded), which is 0.
'use strict';

const dark = matchMedia('(prefers-color-scheme: dark)');
const specs = JSON.parse(document.getElementById('charts-data').textContent);
let charts = [];

// Colours by Okabe and Ito, which colour-blind readers can tell apart.
const palettes = {
  light: { a: '#0072b2', b: '#d55e00', first: '#d55e00', second: '#0072b2', draw: '#a7abb5', none: '#f0d44a',
    won: '#009e73', lost: '#b0568a', ink: '#3a404d', line: '#e3e6eb' },
  dark: { a: '#56b4e9', b: '#e69f00', first: '#e8793a', second: '#4a9bd8', draw: '#7e8594', none: '#d9bd3a',
    won: '#2fc79b', lost: '#d78fb8', ink: '#c3c8d3', line: '#343945' },
};

const percent = (v) => {
  const p = 100 * v;
  return (p === 0 || p >= 10 ? Math.round(p * 10) / 10 : Number(p.toPrecision(2))) + ' %';
};
const plain = (v) => Number(v.toPrecision(4)).toLocaleString('en-US');

function draw(spec, colours) {
  const horizontal = spec.kind === 'flat';
  const area = spec.kind === 'areas';
  const bar = horizontal || spec.kind === 'bars';
  const write = spec.percent ? percent : plain;
  const several = spec.series.length > 1;
  const datasets = spec.series.map((s) => ({
    label: s.name,
    data: s.points,
    backgroundColor: colours[s.colour] + (bar && !several ? 'd0' : area ? 'e0' : 'b8'),
    borderColor: colours[s.colour],
    borderWidth: bar ? 0 : area ? 0.5 : 2,
    borderDash: s.dashed ? [5, 4] : [],
    pointRadius: area || s.dashed ? 0 : spec.labels.length > 30 ? 1.5 : 3,
    pointHoverRadius: 5,
    fill: area ? 'stack' : false,
    categoryPercentage: horizontal ? 0.8 : 0.95,
    barPercentage: horizontal ? 0.9 : 1,
    maxBarThickness: 26,
  }));
  if (!horizontal) datasets.forEach((d) => { delete d.maxBarThickness; });
  const names = { stacked: spec.stacked, grid: { display: false }, border: { color: colours.line },
    ticks: { color: colours.ink, autoSkip: !horizontal, autoSkipPadding: 8, maxRotation: 0, font: { size: 11 } } };
  // Axes show the beginning of a range, tooltips all of it.
  if (!horizontal) names.ticks.callback = function (v) { return this.getLabelForValue(v).split(/–| to /)[0]; };
  const numbers = { stacked: spec.stacked, beginAtZero: true, grid: { color: colours.line }, border: { display: false },
    ticks: { color: colours.ink, callback: (v) => write(v), maxTicksLimit: 7, font: { size: 11 } } };
  if (area) numbers.max = 1;
  const title = (text) => ({ display: Boolean(text), text, color: colours.ink, font: { size: 12 } });
  names.title = title(horizontal ? spec.y : spec.x);
  numbers.title = title(horizontal ? spec.x : spec.y);
  const canvas = document.getElementById(spec.id);
  if (horizontal) canvas.parentElement.style.minHeight = Math.max(270, 70 + spec.labels.length * (several ? 30 : 24)) + 'px';
  const chart = new Chart(canvas, {
    type: bar ? 'bar' : 'line',
    data: { labels: spec.labels, datasets },
    options: {
      animation: false, responsive: true, maintainAspectRatio: false, indexAxis: horizontal ? 'y' : 'x',
      interaction: { mode: 'index', intersect: false, axis: horizontal ? 'y' : 'x' },
      scales: horizontal ? { x: numbers, y: names } : { x: names, y: numbers },
      plugins: {
        legend: { display: spec.legend, position: 'bottom', labels: { color: colours.ink, boxWidth: 14, boxHeight: 10, font: { size: 12 },
          filter: (item) => !spec.series[item.datasetIndex].dashed } },
        tooltip: { callbacks: {
          title: (items) => (horizontal || !spec.x ? '' : spec.x.split(',')[0] + ' ') + items[0].label,
          label: (item) => (spec.legend ? item.dataset.label + ': ' : '') + (item.raw === null ? 'none' : write(item.raw)),
        } },
      },
    },
  });
  canvas.dataset.points = chart.data.datasets
    .map((_, i) => chart.getDatasetMeta(i).data.filter((e) => !e.skip && Number.isFinite(e.x) && Number.isFinite(e.y)).length)
    .reduce((sum, n) => sum + n, 0);
  return chart;
}

function drawAll(colours) {
  charts.forEach((c) => c.destroy());
  charts = specs.map((spec) => draw(spec, colours));
}

Chart.defaults.font.family = getComputedStyle(document.body).fontFamily;
const drawForScreen = () => drawAll(dark.matches ? palettes.dark : palettes.light);
drawForScreen();
dark.addEventListener('change', drawForScreen);
addEventListener('beforeprint', () => drawAll(palettes.light));
addEventListener('afterprint', drawForScreen);
document.documentElement.dataset.drawn = charts.length;
document.documentElement.dataset.loaded = performance.getEntriesByType('resource').length;
