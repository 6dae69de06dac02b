'use strict';
(() => {
  const data = JSON.parse(document.getElementById('data').textContent);
  const page = document.getElementById('page');
  const SVG = 'http://www.w3.org/2000/svg';
  const narrow = window.matchMedia('(max-width: 900px)');

  // What comes from the program is only ever made into text, never into markup.
  function make(tag, attributes, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {})) {
      if (name === 'act') element.addEventListener('click', value);
      else if (name === 'hue') element.style.setProperty('--hue', value);
      else if (value !== false && value != null) element.setAttribute(name, value === true ? '' : value);
    }
    element.append(...children.filter((child) => child != null && child !== false));
    return element;
  }

  const HUES = [212, 28, 150, 285, 345, 185, 60, 250, 110, 320];
  const hueOf = (thread) => HUES[thread % HUES.length];
  const LOCK_HUES = [265, 95, 10, 200, 50, 310, 170, 230];
  const lastPart = (path) => path.split('/').pop();
  const at = (place) => (place.line ? `${lastPart(place.file)}:${place.line}` : lastPart(place.file));

  // --- the head of the page ---

  function command(text) {
    const code = make('code', {}, text);
    const button = make('button', { class: 'small', act: () => copy(code, button) }, 'copy');
    return make('div', { class: 'command' }, code, button);
  }

  function copy(code, button) {
    const done = () => { button.textContent = 'copied'; };
    const select = () => window.getSelection().selectAllChildren(code);
    if (navigator.clipboard) navigator.clipboard.writeText(code.textContent).then(done, select);
    else select();
  }

  function facts(pairs) {
    return make('dl', { class: 'facts' }, ...pairs.flatMap(([name, value]) => [make('dt', {}, name), make('dd', {}, value)]));
  }

  function head() {
    return make('header', { class: 'head' },
      make('span', { class: `badge ${data.verdict}` }, data.verdict),
      make('h1', {}, data.title),
      make('span', { class: 'program mono' }, data.program));
  }

  function unknowns(show) {
    return data.unknown.map((one) => make('section', { class: 'card' },
      make('strong', {}, one.what),
      make('div', {}, one.thread ? `in thread ${one.thread} ` : null, one.place ? link(one.place, show) : null),
      make('div', {}, one.advice)));
  }

  function link(place, show) {
    const text = place.column ? `${place.file}:${place.line}:${place.column}` : at(place);
    const words = place.function ? `${text} in ${place.function}` : text;
    return show ? make('button', { class: 'place', act: () => show(place) }, words) : make('span', { class: 'place plain' }, words);
  }

  // --- the source ---

  function sourceView() {
    const title = make('h2', {}, 'Source');
    const scroller = make('div', { class: 'scroller', tabindex: '0', 'aria-label': 'Source' });
    const files = new Map();
    let shown = null;

    function build(file) {
      const source = data.sources.find((one) => one.file === file);
      if (!source) return null;
      const lines = new Map();
      const body = make('div', { class: 'source' });
      let before = 0;
      for (const [number, text] of source.lines) {
        if (number !== before + 1) body.append(make('div', { class: 'gap' }, '\u22ef'));
        before = number;
        const who = make('span', { class: 'who' });
        const element = make('div', { class: 'line', 'data-line': number }, make('span', { class: 'number' }, String(number)), who, make('span', { class: 'code' }, text || ' '));
        lines.set(number, { element, who });
        body.append(element);
      }
      return { body, lines };
    }

    function open(file) {
      if (!files.has(file)) files.set(file, build(file));
      const built = files.get(file);
      if (shown !== file) {
        shown = file;
        title.textContent = file;
        scroller.replaceChildren(built ? built.body : make('p', { class: 'missing' }, `${file} is not at hand`));
      }
      return built;
    }

    function reveal(element) {
      const [inner, outer] = [element.getBoundingClientRect(), scroller.getBoundingClientRect()];
      const margin = outer.height / 4;
      if (inner.top < outer.top + margin || inner.bottom > outer.bottom - margin) {
        scroller.scrollTop += inner.top - outer.top - outer.height / 2;
      }
    }

    // `threads`: where each thread has come to; `thread` is the one that acts at `place`.
    function show(place, thread, threads, bad) {
      const built = place ? open(place.file) : shown && files.get(shown);
      if (!built) return;
      for (const { element, who } of built.lines.values()) {
        element.classList.remove('now', 'bad');
        if (who.firstChild) who.replaceChildren();
      }
      for (const other of threads) {
        const line = other.place && other.place.file === shown && built.lines.get(other.place.line);
        if (line) line.who.append(make('span', { class: 'chip', hue: hueOf(other.thread), title: other.name }, other.name));
      }
      const line = place && built.lines.get(place.line);
      if (!line) return;
      line.element.classList.add('now');
      line.element.classList.toggle('bad', bad);
      if (thread != null) line.element.style.setProperty('--hue', hueOf(thread));
      reveal(line.element);
    }

    const panel = make('section', { class: 'panel source-panel' }, make('div', { class: 'bar' }, title), scroller);
    return { panel, show, scroller, file: () => shown };
  }

  // --- what variables hold ---

  // What is known after a row: by variable its value and the row that gave it, what waits in buffers, what each thread has
  // seen last.
  function valuesAfter(story, last) {
    const now = story.variables.map((variable) => ({ value: variable.initial, row: -1, waiting: [], seen: new Map() }));
    for (let index = 0; index <= last; index++) {
      const row = story.rows[index];
      if (row.variable == null) continue;
      const one = now[row.variable];
      if (row.read != null) {
        one.seen.set(row.thread, row.read);
        if (one.value == null) one.value = row.read;
      }
      if (row.written == null) continue;
      one.seen.set(row.thread, row.written);
      if (row.buffered) {
        one.waiting.push({ thread: row.thread, value: row.written });
        continue;
      }
      const oldest = one.waiting.findIndex((store) => store.thread === row.thread);
      if (oldest >= 0) one.waiting.splice(oldest, 1);
      // A store that comes before one that is there already changes nothing.
      const overtaken = row.read == null && row.unseen != null;
      if (!overtaken) Object.assign(one, { value: row.written, row: index });
    }
    return now;
  }

  function valuesView(story, withLibraries) {
    const scroller = make('div', { class: 'scroller', tabindex: '0', 'aria-label': 'Values' });
    const locks = make('div', { class: 'locks' });
    const panel = make('section', { class: 'panel values-panel' }, make('div', { class: 'bar' }, make('h2', {}, 'Values')), scroller, locks);
    const chip = (thread, text) => make('span', { class: 'chip', hue: hueOf(thread) }, text);

    function show(first, last) {
      const now = valuesAfter(story, last);
      const rows = story.variables.flatMap((variable, number) => {
        const one = now[number];
        if (variable.detail && !withLibraries()) return [];
        const notes = one.waiting.map((store) => chip(store.thread, `${store.value} in the buffer of ${story.threads[store.thread]}`));
        for (const [thread, value] of one.seen) {
          if (value !== one.value && !one.waiting.some((store) => store.thread === thread)) {
            notes.push(chip(thread, `${story.threads[thread]} has seen ${value}`));
          }
        }
        const changed = one.row >= first && one.row <= last;
        return [make('tr', { class: changed && 'changed' }, make('td', {}, variable.name), make('td', {}, one.value == null ? '?' : one.value), make('td', {}, ...notes))];
      });
      const head = make('tr', {}, ...['variable', 'value', 'last seen otherwise'].map((name) => make('th', {}, name)));
      scroller.replaceChildren(make('table', { class: 'values' }, make('thead', {}, head), make('tbody', {}, ...rows)));
      const held = story.locks.filter((lock) => lock.first <= last && (lock.last > last || lock.last === story.rows.length - 1));
      const words = story.threads.flatMap((name, thread) => {
        const own = held.filter((lock) => lock.thread === thread).map((lock) => lock.name);
        return own.length ? [`${name} holds ${own.join(', ')}`] : [];
      });
      locks.textContent = words.join('; ') || 'no thread holds a lock';
      locks.hidden = story.locks.length === 0;
    }
    return { panel, show };
  }

  // --- the lanes ---

  // What can be stood at: rows, and folds that are closed.
  function stopsOf(story, open) {
    const stops = [];
    const folds = new Map(story.folds.map((fold, number) => [fold.first, { ...fold, number }]));
    for (let row = 0; row < story.rows.length; row++) {
      const fold = folds.get(row);
      if (fold && !open.has(fold.number)) {
        stops.push({ first: row, last: fold.last, fold });
        row = fold.last;
      } else stops.push({ first: row, last: row, opens: fold });
    }
    return stops;
  }

  function lanesView(story, choose, toggle) {
    const lanes = make('div', { class: 'lanes' });
    const scroller = make('div', { class: 'scroller', tabindex: '0', 'aria-label': 'Schedule' }, lanes);
    const lockNames = [...new Set(story.locks.map((lock) => lock.name))];
    const lockHue = (name) => LOCK_HUES[lockNames.indexOf(name) % LOCK_HUES.length];
    const present = story.threads.map((_, thread) => thread).filter((thread) => story.rows.some((row) => row.thread === thread));
    const column = (thread) => present.indexOf(thread) + 2;
    const depths = nesting(story.locks);
    let stops = [];
    let cells = [];
    let here = 0;

    // How many locks a thread holds already when it takes each of its locks.
    function nesting(locks) {
      const depths = [];
      locks.forEach((lock, number) => {
        const taken = locks.slice(0, number).map((other, index) => [other, depths[index]])
          .filter(([other]) => other.thread === lock.thread && other.last >= lock.first).map(([, depth]) => depth);
        let depth = 0;
        while (taken.includes(depth)) depth++;
        depths.push(depth);
      });
      return depths;
    }

    const stopOf = (row) => stops.findIndex((stop) => stop.first <= row && row <= stop.last);
    const shownHeld = (lock) => stopOf(lock.first) !== stopOf(lock.last) || !stops[stopOf(lock.first)].fold;

    function build(newStops) {
      stops = newStops;
      const bars = new Map();
      story.locks.forEach((lock, number) => {
        if (shownHeld(lock)) bars.set(lock.thread, Math.max(bars.get(lock.thread) || 0, depths[number] + 1));
      });
      lanes.style.gridTemplateColumns = `max-content repeat(${present.length}, minmax(${narrow.matches ? '8.5rem' : '10rem'}, 1fr))`;
      lanes.style.gridTemplateRows = `repeat(${stops.length + 1}, auto)`;
      const names = present.map((thread) => {
        const name = make('div', { class: 'name', hue: hueOf(thread) }, story.threads[thread]);
        Object.assign(name.style, { gridColumn: column(thread), gridRow: 1 });
        return name;
      });
      const corner = make('div', { class: 'name corner' });
      Object.assign(corner.style, { gridColumn: 1, gridRow: 1 });
      const stripes = present.map((thread) => {
        const lane = make('div', { class: 'lane' });
        Object.assign(lane.style, { gridColumn: column(thread), gridRow: '1 / -1' });
        return lane;
      });
      cells = stops.map((stop, number) => cell(stop, number, bars));
      const places = stops.map((stop, number) => {
        const place = story.rows[stop.first].place;
        const element = make('div', { class: 'at' }, place && !stop.fold ? at(place) : '');
        Object.assign(element.style, { gridColumn: 1, gridRow: number + 2 });
        return element;
      });
      lanes.replaceChildren(...stripes, corner, ...names, ...places, ...cells);
      mark(here);
    }

    function cell(stop, number, bars) {
      const row = story.rows[stop.first];
      const classes = ['step', stop.fold && 'fold', row.detail && 'detail', row.marked && 'marked'].filter(Boolean).join(' ');
      const told = stop.fold ? `\u2026 ${stop.fold.label}` : row.marked ? `\u2717 ${row.text}` : row.text;
      const act = () => { choose(number); if (stop.fold) toggle(stop.fold.number); };
      const element = make('button', { class: classes, hue: hueOf(row.thread), act, 'data-row': stop.first },
        row.place && !stop.fold ? make('span', { class: 'inner-at' }, at(row.place)) : null,
        told,
        row.remark && !stop.fold ? make('span', { class: 'remark' }, row.remark) : null);
      Object.assign(element.style, { gridColumn: column(row.thread), gridRow: number + 2 });
      element.style.setProperty('--bars', bars.get(row.thread) || 0);
      return element;
    }

    function box(number) {
      const [inner, outer] = [cells[number].getBoundingClientRect(), lanes.getBoundingClientRect()];
      return { left: inner.left - outer.left, right: inner.right - outer.left, top: inner.top - outer.top, bottom: inner.bottom - outer.top, middle: (inner.top + inner.bottom) / 2 - outer.top };
    }

    // Bars of locks and arrows lie over the rows: they are placed when these have been laid out.
    function draw() {
      lanes.querySelectorAll('.held, .arrows').forEach((element) => element.remove());
      if (!cells.length || !lanes.getBoundingClientRect().width) return;
      story.locks.forEach((lock, number) => {
        if (!shownHeld(lock)) return;
        const [first, last] = [box(stopOf(lock.first)), box(stopOf(lock.last))];
        const bars = Number(cells[stopOf(lock.first)].style.getPropertyValue('--bars')) || 1;
        const element = make('div', { class: lock.shared ? 'held shared' : 'held', hue: lockHue(lock.name), title: `${story.threads[lock.thread]} holds ${lock.name}` });
        Object.assign(element.style, { left: `${first.left - 8 * (bars - depths[number]) - 1}px`, top: `${first.top + 2}px`, height: `${Math.max(last.bottom - first.top - 4, 6)}px` });
        lanes.append(element);
      });
      lanes.append(arrows());
    }

    function arrows() {
      const svg = document.createElementNS(SVG, 'svg');
      svg.setAttribute('class', 'arrows');
      svg.setAttribute('width', lanes.scrollWidth);
      svg.setAttribute('height', lanes.scrollHeight);
      const defs = document.createElementNS(SVG, 'defs');
      const marker = document.createElementNS(SVG, 'marker');
      for (const [name, value] of Object.entries({ id: 'tip', viewBox: '0 0 8 8', refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: 'auto-start-reverse', markerUnits: 'userSpaceOnUse' })) marker.setAttribute(name, value);
      const tip = document.createElementNS(SVG, 'path');
      tip.setAttribute('d', 'M0 0 8 4 0 8z');
      marker.append(tip);
      defs.append(marker);
      svg.append(defs);
      const chosen = stops[here];
      story.rows.forEach((row, index) => {
        const mine = chosen.first <= index && index <= chosen.last;
        if (row.from != null) arrow(svg, row.from, index, row, mine);
        if (row.unseen != null) arrow(svg, row.unseen, index, row, mine, 'unseen');
      });
      // The edge that is missing between the accesses of a race.
      if (story.race) arrow(svg, story.race[0], story.race[1], story.rows[story.race[1]], true, 'unseen race');
      return svg;
    }

    function arrow(svg, source, target, row, mine, kind) {
      const [from, to] = [stopOf(source), stopOf(target)];
      const folded = stops[from].fold || stops[to].fold;
      const sameThread = story.rows[source].thread === row.thread;
      if (from === to || ((folded || sameThread) && !mine && !row.remark)) return;
      const [a, b] = [box(from), box(to)];
      const old = row.remark && row.read != null && row.unseen != null;
      const path = document.createElementNS(SVG, 'path');
      path.setAttribute('class', kind || (old ? 'old' : mine ? 'strong' : 'plain'));
      path.setAttribute('marker-end', 'url(#tip)');
      path.setAttribute('d', curve(a, b));
      path.dataset.from = source;
      path.dataset.to = target;
      svg.append(path);
    }

    function curve(a, b) {
      if (b.left > a.right - 20) {
        const bend = Math.min(60, Math.max(20, (b.left - a.right) / 2));
        return `M${a.right} ${a.middle} C${a.right + bend} ${a.middle} ${b.left - bend} ${b.middle} ${b.left} ${b.middle}`;
      }
      if (b.right < a.left + 20) {
        const bend = Math.min(60, Math.max(20, (a.left - b.right) / 2));
        return `M${a.left} ${a.middle} C${a.left - bend} ${a.middle} ${b.right + bend} ${b.middle} ${b.right} ${b.middle}`;
      }
      const out = Math.max(a.right, b.right) + 14;
      return `M${a.right} ${a.middle} C${out} ${a.middle} ${out} ${b.middle} ${b.right} ${b.middle}`;
    }

    function mark(number) {
      here = number;
      cells.forEach((element, index) => {
        element.classList.toggle('here', index === number);
        element.classList.toggle('later', index > number);
        if (index === number) element.setAttribute('aria-current', 'step');
        else element.removeAttribute('aria-current');
      });
      lanes.querySelectorAll('.at').forEach((element, index) => {
        element.classList.toggle('later', index > number);
        element.classList.toggle('here', index === number);
      });
      draw();
      reveal(cells[number]);
    }

    function reveal(element) {
      const [inner, outer] = [element.getBoundingClientRect(), scroller.getBoundingClientRect()];
      if (inner.top < outer.top + 50) scroller.scrollTop += inner.top - outer.top - outer.height / 3;
      if (inner.bottom > outer.bottom - 20) scroller.scrollTop += inner.bottom - outer.bottom + outer.height / 3;
      if (inner.left < outer.left) scroller.scrollLeft += inner.left - outer.left - 20;
      if (inner.right > outer.right) scroller.scrollLeft += Math.min(inner.right - outer.right + 20, inner.left - outer.left);
    }

    const legend = make('div', { class: 'legend' }, ...lockNames.filter((name) => story.locks.some((lock) => lock.name === name)).slice(0, 12)
      .map((name) => make('span', {}, make('i', { hue: lockHue(name) }), `holds ${name}`)));
    return { scroller, build, mark, draw, legend };
  }

  // --- one execution ---

  function storyView(story) {
    const open = new Set();
    const libraries = story.folds.map((fold, number) => number).filter((number) => story.rows[story.folds[number].first].detail);
    let stops = stopsOf(story, open);
    let here = 0;
    const source = sourceView();
    const values = valuesView(story, () => libraryBox.checked);
    const libraryBox = make('input', { type: 'checkbox', id: 'libraries' });
    const lanes = lanesView(story, go, toggle);
    const slider = make('input', { type: 'range', min: '0', 'aria-label': 'Step' });
    const told = make('span', { class: 'told', role: 'status' });

    function go(number) {
      here = Math.max(0, Math.min(number, stops.length - 1));
      const stop = stops[here];
      const row = story.rows[stop.last];
      slider.value = here;
      told.textContent = `${here + 1} of ${stops.length}  ${story.threads[row.thread]}`;
      lanes.mark(here);
      values.show(stop.first, stop.last);
      source.show(row.place, row.thread, positions(stop.last), Boolean(row.marked));
    }

    // Where each thread has come to.
    function positions(last) {
      const places = new Map();
      for (let index = 0; index <= last; index++) {
        const row = story.rows[index];
        if (row.place) places.set(row.thread, row.place);
      }
      return [...places].map(([thread, place]) => ({ thread, place, name: story.threads[thread] }));
    }

    function rebuild() {
      const row = stops[here] ? stops[here].first : 0;
      stops = stopsOf(story, open);
      slider.max = stops.length - 1;
      here = Math.max(0, stops.findIndex((stop) => stop.first <= row && row <= stop.last));
      lanes.build(stops);
      go(here);
    }

    function toggle(fold) {
      if (!open.delete(fold)) open.add(fold);
      rebuild();
    }

    function change(direction) {
      const thread = story.rows[stops[here].last].thread;
      let number = here + direction;
      while (stops[number] && story.rows[stops[number].last].thread === thread) number += direction;
      go(number);
    }

    function showPlace(place) {
      const found = stops.findIndex((stop) => !stop.fold && story.rows[stop.first].place && story.rows[stop.first].place.file === place.file && story.rows[stop.first].place.line === place.line);
      source.show(place, null, positions(stops[here].last), true);
      aside.classList.replace('shows-values', 'shows-source');
      if (found >= 0 && narrow.matches) lanes.mark(found);
    }

    libraryBox.addEventListener('change', () => {
      for (const fold of libraries) if (libraryBox.checked) open.add(fold); else open.delete(fold);
      rebuild();
    });
    slider.addEventListener('input', () => go(Number(slider.value)));
    source.scroller.addEventListener('click', (event) => {
      const line = event.target.closest('.line');
      if (!line) return;
      const acts = (stop) => { const { place } = story.rows[stop.first]; return !stop.fold && place && place.file === source.file() && place.line === Number(line.dataset.line); };
      const after = stops.findIndex((stop, number) => number > here && acts(stop));
      const any = after >= 0 ? after : stops.findIndex(acts);
      if (any >= 0) go(any);
    });

    const marked = () => stops.findIndex((stop) => story.rows[stop.first].marked);
    const actions = {
      ArrowRight: () => go(here + 1), l: () => go(here + 1), j: () => go(here + 1),
      ArrowLeft: () => go(here - 1), h: () => go(here - 1), k: () => go(here - 1),
      Home: () => go(0), End: () => go(stops.length - 1),
      n: () => change(1), p: () => change(-1), f: () => go(Math.max(0, marked())),
      o: () => { const { fold, opens } = stops[here]; if (fold || opens) toggle((fold || opens).number); },
    };
    function key(event) {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const action = actions[event.key];
      if (!action || (event.target === slider && event.key.length > 1)) return;
      event.preventDefault();
      action();
    }

    const button = (text, name, action, extra) => make('button', { 'aria-label': name, title: name, act: action, class: extra }, text);
    const controls = make('nav', { class: 'controls', 'aria-label': 'Steps' },
      button('|\u25c0', 'first step (Home)', actions.Home), button('\u25c0', 'step back (left arrow)', actions.ArrowLeft, 'back'),
      slider,
      button('\u25b6', 'step forward (right arrow)', actions.ArrowRight, 'forward'), button('\u25b6|', 'last step (End)', actions.End),
      button('\u21e4 thread', 'previous change of thread (p)', actions.p, 'switch'), button('thread \u21e5', 'next change of thread (n)', actions.n, 'switch'),
      told);
    const keys = make('p', { class: 'keys' }, ...[['\u2190', ''], ['\u2192', ' step  '], ['p', ''], ['n', ' change of thread  '], ['f', ' what went wrong  '], ['o', ' open or close a fold']]
      .flatMap(([name, words]) => [make('kbd', {}, name), words || ' ']));

    const aside = make('div', { class: 'aside shows-source' });
    const pick = (name) => () => { aside.className = `aside shows-${name}`; lanes.draw(); };
    aside.append(make('div', { class: 'tabs only-narrow' }, make('button', { act: pick('source') }, 'source'), make('button', { act: pick('values') }, 'values')), source.panel, values.panel);

    const lanesPanel = make('section', { class: 'panel lanes-panel' },
      make('div', { class: 'bar' }, make('h2', {}, 'Schedule'), lanes.legend,
        libraries.length > 0 && make('label', { for: 'libraries' }, libraryBox, ' inside of libraries')),
      lanes.scroller);
    const view = make('article', {},
      make('p', { class: 'message' }, story.message.join('\n')),
      story.place && make('p', {}, link(story.place, showPlace), story.thread ? `, thread ${story.thread}` : ''),
      make('ul', { class: 'details' }, ...story.details.map(([words, place]) => make('li', {}, words, place ? ' at ' : null, place ? link(place, showPlace) : null))),
      story.inputs.length > 0 && make('p', {}, 'inputs: ', make('code', {}, story.inputs.map(([name, value]) => `${name} = ${value}`).join(', '))),
      story.elsewhere && make('p', {}, story.elsewhere),
      story.replay && command(story.replay),
      story.rows.length > 0 && make('div', { class: 'stage' }, lanesPanel, aside),
      story.rows.length > 0 && controls,
      story.rows.length > 0 && keys);

    function begin() {
      if (!story.rows.length) return;
      rebuild();
      go(marked() >= 0 ? marked() : stops.length - 1);
    }
    return { view, begin, key, draw: () => story.rows.length && lanes.draw() };
  }

  // --- the page ---

  const stage = make('div');
  let current = null;
  function showStory(number) {
    current = storyView(data.stories[number]);
    stage.replaceChildren(current.view);
    tabs.forEach((tab, index) => tab.setAttribute('aria-selected', index === number));
    current.begin();
  }
  const tabs = data.stories.length > 1
    ? data.stories.map((story, number) => make('button', { role: 'tab', act: () => showStory(number) }, `${number + 1}. ${story.title}`)) : [];

  // A place of which nothing is known but its line: a few lines of source.
  function excerpt(place) {
    const source = data.sources.find((one) => one.file === place.file);
    if (!source) return null;
    const lines = source.lines.filter(([number]) => Math.abs(number - place.line) <= 3);
    return make('div', { class: 'source card' }, ...lines.map(([number, text]) => make('div', { class: number === place.line ? 'line now' : 'line' },
      make('span', { class: 'number' }, String(number)), make('span', { class: 'code' }, text || ' '))));
  }

  const about = make('details', { class: 'about' }, make('summary', {}, 'What was looked at'),
    make('div', { class: 'card' }, facts(data.facts), data.command && command(data.command)));
  about.open = data.verdict !== 'violation';
  page.append(head(), ...unknowns(null), ...data.unknown.filter((one) => one.place && !data.stories.length).map((one) => excerpt(one.place)).filter(Boolean),
    data.stories.length ? '' : about,
    tabs.length ? make('div', { class: 'tabs', role: 'tablist' }, ...tabs) : '', stage);
  if (data.stories.length) {
    stage.before(about);
    showStory(0);
  }
  document.addEventListener('keydown', (event) => current && current.key(event));
  window.addEventListener('resize', () => current && current.draw());
})();
