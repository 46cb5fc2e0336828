// Drop a model, see devices ranked with intervals.
import {append, element, section, table, type Cell} from './dom';
import {count, scaled, seconds, seriesUnit, figure, UNKNOWN} from './format';
import {startTheme, themeButton} from './theme';

// Of the server's answer, what is shown; docs/serve.md describes all of it.
interface Ranked {
  node?: string;
  device_model?: string;
  device?: string;
  threads?: number;
  predicted_execution_time: number | null;
  interval_90: [number, number] | null;
  basis: string;
  placeable?: boolean;
  why_not?: string;
  out_of_distribution?: boolean;
}
interface Answer {
  model_characteristics: Record<string, number | string>;
  inspection: {model: string; macs: number | null; precision: string; notes: string[]};
  memory_bytes: number;
  ranking: Ranked[];
}

const BASES: Record<string, string> = {
  known_device: 'measured device',
  calibrated: 'calibrated device',
  calibrated_new_network: 'calibrated device',
  spec_only: 'its spec only',
  coarse: 'eight fields only',
};
const SVG = 'http://www.w3.org/2000/svg';

function svg(tag: string, attributes: Record<string, string | number>): SVGElement {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) {
    made.setAttribute(name, String(value));
  }
  return made;
}

// The interval on an axis of logarithms that all rows share.
function bar(entry: Ranked, least: number, most: number): Node {
  const drawing = svg('svg', {class: 'bar', viewBox: '0 0 100 10', preserveAspectRatio: 'none', 'aria-hidden': 'true'});
  const time = entry.predicted_execution_time;
  if (time === null || !entry.interval_90) {
    return drawing;
  }
  const at = (value: number) => 2 + 96 * Math.log(value / least) / Math.max(1e-9, Math.log(most / least));
  drawing.append(svg('line', {x1: at(entry.interval_90[0]), x2: at(entry.interval_90[1]), y1: 5, y2: 5}),
                 svg('line', {x1: at(time), x2: at(time), y1: 1, y2: 9}));
  return drawing;
}

function intervalText(entry: Ranked): string {
  return entry.interval_90 ? `${seconds(entry.interval_90[0])} – ${seconds(entry.interval_90[1])}` : 'insufficient samples';
}

function rankingTable(ranking: Ranked[]): HTMLElement {
  const ends = ranking.flatMap((entry) => entry.interval_90 ?? []).filter((value) => value > 0);
  const least = Math.min(...ends);
  const most = Math.max(...ends);
  const rows = ranking.map((entry): Cell[] => [
    {text: entry.node ? `${entry.node} (${entry.device_model || 'unknown board'})` : entry.device ?? ''},
    {text: entry.predicted_execution_time === null ? UNKNOWN : seconds(entry.predicted_execution_time), class: 'number'},
    {text: intervalText(entry), class: 'number'},
    {text: '', node: bar(entry, least, most), class: 'wide'},
    {text: entry.why_not ?? BASES[entry.basis] ?? entry.basis, class: 'from'},
  ]);
  const heads = ['device', 'predicted', '90% interval', 'left is faster', 'from'].map((text): Cell => ({text}));
  const made = table('Devices, the fastest first', heads, rows);
  made.querySelectorAll('tbody tr').forEach((row, i) => row.classList.toggle('out', ranking[i]!.placeable === false));
  return made;
}

function facts(answer: Answer): HTMLElement {
  const bytes = seriesUnit('bytes', answer.memory_bytes);
  const list: [string, string][] = [
    ['multiply-accumulates', scaled(answer.inspection.macs)],
    ['parameters', count(Number(answer.model_characteristics['total_parameters']))],
    ['precision', answer.inspection.precision],
    ['memory', `${figure(answer.memory_bytes / bytes.size)} ${bytes.name}`],
    ['convolutions', count(Number(answer.model_characteristics['conv_layers']))],
  ];
  return element('dl', {class: 'facts'}, ...list.map(([name, value]) =>
      element('div', {}, element('dt', {}, name), element('dd', {}, value))));
}

function show(answer: Answer): HTMLElement {
  const shown = section({id: 'result', title: answer.inspection.model, body: [facts(answer)]});
  for (const note of answer.inspection.notes) {
    append(shown, element('p', {class: 'remark'}, note));
  }
  if (answer.ranking.some((entry) => entry.out_of_distribution)) {
    append(shown, element('p', {class: 'remark'},
                          'This network is unlike all that the model was trained on: take the times as a direction, and measure one device.'));
  }
  if (answer.ranking.length === 0) {
    append(shown, element('p', {class: 'absent'}, 'There is no device to rank.'));
  } else {
    append(shown, rankingTable(answer.ranking));
  }
  return shown;
}

function input(id: string, label: string, attributes: Record<string, string>): [HTMLElement, HTMLInputElement] {
  const field = element('input', {id, ...attributes});
  return [element('label', {for: id}, label, field), field];
}

function start(): void {
  startTheme();
  const page = document.getElementById('page')!;
  const result = element('div', {id: 'answer', 'aria-live': 'polite'});
  const file = element('input', {type: 'file', accept: '.onnx', id: 'file'});
  const drop = element('label', {class: 'drop', for: 'file'}, element('strong', {}, 'Drop an ONNX model here'),
                       'or choose a file. It is sent to this server only.', file);
  const [shapeLabel, shape] = input('shape', 'Input sizes that the file leaves open', {placeholder: 'images=1x3x640x640', autocomplete: 'off', spellcheck: 'false'});
  const [tokenLabel, token] = input('token', 'Token, if this server wants one', {type: 'password', autocomplete: 'off'});
  append(page,
         element('div', {class: 'top'}, element('span', {class: 'brand'}, 'edgewise'), themeButton()),
         element('h1', {}, 'Where does a model run fastest?'), drop,
         element('form', {class: 'fields', submit: (event: Event) => event.preventDefault()}, shapeLabel, tokenLabel), result);

  const tell = (...nodes: Node[]) => result.replaceChildren(...nodes);
  const send = async (chosen: File) => {
    tell(element('p', {class: 'faint'}, `Reading ${chosen.name} …`));
    const form = new FormData();
    form.append('file', chosen);
    if (shape.value.trim()) {
      form.append('input_shape', shape.value.trim());
    }
    try {
      const answer = await fetch('upload', {
        method: 'POST',
        body: form,
        headers: token.value ? {Authorization: `Bearer ${token.value}`} : {},
      });
      const document = await answer.json();
      tell(answer.ok ? show(document as Answer) : element('p', {class: 'problem'}, document.error.message));
    } catch (problem) {
      tell(element('p', {class: 'problem'}, `The server did not answer (${problem instanceof Error ? problem.message : problem}).`));
    }
  };
  file.addEventListener('change', () => {
    if (file.files?.[0]) {
      void send(file.files[0]);
      file.value = '';
    }
  });
  for (const kind of ['dragover', 'dragleave', 'drop'] as const) {
    drop.addEventListener(kind, (event) => {
      event.preventDefault();
      drop.classList.toggle('over', kind === 'dragover');
      const dropped = event.dataTransfer?.files[0];
      if (kind === 'drop' && dropped) {
        void send(dropped);
      }
    });
  }
  document.documentElement.dataset['ready'] = '';
}

start();
