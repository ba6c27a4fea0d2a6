#include "presentation/html/page_sections.h"

namespace opbench {

namespace {

// Adds what is handy and not needed: search, sorting, opening all for print.
constexpr const char* kPageScript = R"js((function () {
  'use strict';
  var bar = document.getElementById('tools');
  var input = document.createElement('input');
  input.type = 'search';
  input.placeholder = 'Search units, shapes, nodes, commands';
  input.setAttribute('aria-label', input.placeholder);
  var found = document.createElement('span');
  found.className = 'dim';
  found.setAttribute('role', 'status');
  bar.append(input, found);
  var rows = Array.from(document.querySelectorAll('table.units tbody tr, .strips > li, table.repeat tbody tr'))
    .map(function (row) { return { row: row, text: row.textContent.toLowerCase() }; });
  input.addEventListener('input', function () {
    var words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    var count = 0;
    rows.forEach(function (one) {
      var fits = words.every(function (word) { return one.text.includes(word); });
      one.row.hidden = !fits;
      if (fits && one.row.closest('table.units')) count += 1;
    });
    found.textContent = words.length ? count + ' rows of units' : '';
  });
  function value(row, index) {
    var cell = row.cells[index];
    if (cell.dataset.s !== undefined) return Number(cell.dataset.s);
    return cell.textContent.trim().toLowerCase();
  }
  function sort(table, index) {
    var heads = table.tHead.rows[0].cells;
    var down = heads[index].getAttribute('aria-sort') !== 'descending';
    Array.from(heads).forEach(function (head) { head.removeAttribute('aria-sort'); });
    heads[index].setAttribute('aria-sort', down ? 'descending' : 'ascending');
    var body = table.tBodies[0];
    Array.from(body.rows).map(function (row) { return { row: row, key: value(row, index) }; })
      .sort(function (a, b) {
        var order = a.key < b.key ? -1 : a.key > b.key ? 1 : 0;
        return down ? -order : order;
      })
      .forEach(function (one) { body.append(one.row); });
  }
  document.querySelectorAll('table.units').forEach(function (table) {
    Array.from(table.tHead.rows[0].cells).forEach(function (head, index) {
      var button = document.createElement('button');
      button.type = 'button';
      while (head.firstChild) button.append(head.firstChild);
      head.append(button);
      button.addEventListener('click', function () { sort(table, index); });
    });
  });
  document.querySelectorAll('.graph').forEach(function (box) {
    box.scrollLeft = (box.scrollWidth - box.clientWidth) / 2;
  });
  var closed = [];
  window.addEventListener('beforeprint', function () {
    closed = Array.from(document.querySelectorAll('details:not([open])'));
    closed.forEach(function (one) { one.open = true; });
  });
  window.addEventListener('afterprint', function () {
    closed.forEach(function (one) { one.open = false; });
  });
})();
)js";

}  // namespace

std::string page_script() { return kPageScript; }

}  // namespace opbench
